import { DomainError } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { type ChangeDeps, changePayment } from '#lib/payments/change-payment'
import { giveUp } from '#lib/payments/closing/give-up'
import { paymentsOnListingsOf } from '#lib/payments/open-payments'
import { statusOf } from '#lib/payments/payment-status'
import type { PaymentStore } from '#lib/payments/payment-store'

const WHY = { actor: 'system', reason: "the account of the listing's owner has ended" }

/**
 * Cancels the PENDING payments of others on a person's listings. The next reconciliation closes their pages; late money
 * still counts. Safe to repeat.
 */
export async function cancelOnListings(
  deps: ChangeDeps & { payments: Pick<PaymentStore, 'list'> },
  agentId: UserId,
): Promise<void> {
  const payments = await paymentsOnListingsOf(deps.payments, agentId)
  const pending = payments.filter((payment) => statusOf(payment, deps.now()) === 'PENDING')
  await inParallel(pending, ({ id }) =>
    changePayment(deps, id, WHY, (payment) => giveUp(payment, deps.now())).catch(unlessOver),
  )
}

/** Ignores that a payment has ended, or was paid, since it was listed. */
function unlessOver(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'payment_transition_not_allowed')) throw error
}
