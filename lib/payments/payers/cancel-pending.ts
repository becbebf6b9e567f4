import type { AccountReader } from '#lib/accounts/account-store'
import { DomainError } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import { type ChangeDeps, changePayment } from '#lib/payments/change/change-payment'
import { giveUp } from '#lib/payments/change/give-up'
import { isPayer } from '#lib/payments/payer'
import type { PaymentReader } from '#lib/payments/payment-store'
import type { Payment } from '#lib/payments/state/payment'
import { statusOf } from '#lib/payments/state/payment-status'
import { paymentsOf, paymentsOnListingsOf } from './open-payments.ts'

/**
 * Cancels the PENDING payments of others on a person's listings. The next reconciliation closes their pages; late money
 * still counts. Safe to repeat.
 */
export async function cancelOnListings(
  deps: ChangeDeps & { payments: PaymentReader },
  agentId: UserId,
): Promise<void> {
  const payments = await paymentsOnListingsOf(deps.payments, agentId)
  await cancelPending(deps, payments, "the account of the listing's owner has ended")
}

/**
 * Cancels the PENDING payments that were started before an account was taken back, as `cancelOnListings` does. Throws
 * `WriteConflict` while the index lists fewer payments than were started.
 */
export async function cancelBeforeTakeBack(
  deps: ChangeDeps & {
    accounts: AccountReader
    payments: PaymentReader
  },
  userId: UserId,
): Promise<void> {
  const [account, begun, payments] = await Promise.all([
    deps.accounts.get(userId),
    deps.payments.countBegun(userId),
    paymentsOf(deps.payments, userId),
  ])
  // An account that ended since then had no PENDING payment of its own.
  const earlier = payments.filter((payment) => !account || !isPayer(account, payment))
  await cancelPending(deps, earlier, 'the account of the payer was taken back')
  if (account && payments.length < begun) throw new WriteConflict('The index of payments is behind')
}

async function cancelPending(deps: ChangeDeps, payments: readonly Payment[], reason: string): Promise<void> {
  const pending = payments.filter((payment) => statusOf(payment, deps.now()) === 'PENDING')
  await inParallel(pending, ({ id }) =>
    changePayment(deps, id, { actor: 'system', reason }, (payment) => giveUp(payment, deps.now())).catch(
      unlessOver,
    ),
  )
}

/** Ignores that a payment has ended, or was paid, since it was listed. */
function unlessOver(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'payment_transition_not_allowed')) throw error
}
