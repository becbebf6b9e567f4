import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId, UserId } from '#lib/kernel/id'
import { allPages } from '#lib/kernel/page'
import { WriteConflict } from '#lib/kernel/write'
import { refundsOf } from '#lib/payments/refunds/refund'
import type { Payment } from './payment.ts'
import type { PaymentStatus } from './payment-status.ts'
import { statusOf } from './payment-status.ts'
import type { PaymentStore } from './payment-store.ts'

const PAGE_SIZE = 100

/** Every payment of a user, newest first: two requests for each hundred. */
export const paymentsOf = (payments: Pick<PaymentStore, 'byUser'>, userId: UserId): Promise<Payment[]> =>
  allPages((after: PaymentId | undefined) => payments.byUser(userId, { limit: PAGE_SIZE, after }))

const OPEN: readonly PaymentStatus[] = ['PENDING', 'PROCESSING', 'DISPUTED']

/** Whether money may still move by itself: not settled yet, disputed, or with a refund under way. */
export const isOpen = (payment: Payment, now: Date): boolean =>
  OPEN.includes(statusOf(payment, now)) || refundsOf(payment.facts).some(({ state }) => state === 'pending')

/**
 * Refuses while a user has a payment that is open: `payments_open`. `started` is how many there must be; while
 * the index that lists them has not caught up, `WriteConflict`.
 */
export async function refuseOpenPayments(
  payments: Pick<PaymentStore, 'byUser'>,
  userId: UserId,
  started: number,
  now: Date,
): Promise<void> {
  const found = started === 0 ? [] : await paymentsOf(payments, userId)
  const open = found.filter((payment) => isOpen(payment, now))
  if (open.length > 0) {
    throw new DomainError('payments_open', {
      detail: `Still open: ${open
        .slice(0, 10)
        .map(({ id }) => id)
        .join(', ')}`,
    })
  }
  if (found.length < started) throw new WriteConflict('The index of payments is behind')
}
