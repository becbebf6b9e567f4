import type { Clock } from '#lib/kernel/clock'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { Payment } from '#lib/payments/state/payment'
import { isPaid } from '#lib/payments/state/payment-status'
import { inTime } from '#lib/providers/in-time'
import type { PaymentProvider } from '#lib/providers/provider'
import { knownPayment } from '#lib/providers/read-payment'

/** The statuses of a payment whose page must be closed. */
const ENDED: readonly Payment['status'][] = ['CANCELLED', 'EXPIRED', 'FAILED']

/** Whether the page of a payment must be closed at its provider. */
const isToClose = (payment: Payment): boolean =>
  ENDED.includes(payment.status) && !isPaid(payment) && !payment.isPageClosed && payment.checkout !== null

/**
 * Closes the page of a payment that has ended without success, where the provider can, and returns the payment. After a
 * failure the payment stays due, so that closing is tried again. Money that comes later still counts.
 */
export async function closePage(provider: PaymentProvider, payment: Payment): Promise<Payment> {
  const { close } = provider
  if (!close || !isToClose(payment)) return payment
  const isPageClosed = await inTime(() => close(knownPayment(payment))).catch(() => false)
  return { ...payment, isPageClosed }
}

type Deps = { payments: PaymentStore; now: Clock }

/**
 * Closes the page of a payment that has just ended, and stores it. A failed step is repeated when the payment is due
 * again.
 */
export async function closeEndedPage(
  { payments }: Deps,
  provider: PaymentProvider | undefined,
  ended: Payment,
): Promise<void> {
  if (!provider || !isToClose(ended)) return
  const closed = await closePage(provider, ended)
  if (!closed.isPageClosed) return
  // Once its page is closed, an ended payment is due for nothing.
  const next = { ...closed, dueAt: null, version: ended.version + 1 }
  await payments.commit(payments.save(ended, next)).catch(() => undefined)
}
