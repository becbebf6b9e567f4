import type { UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import type { ChangeDeps } from '#lib/payments/change-payment'
import { paymentsOnListingsOf } from '#lib/payments/open-payments'
import type { Payment } from '#lib/payments/payment'
import { statusOf } from '#lib/payments/payment-status'
import { untilWon } from '#lib/payments/until-won'
import { cancel } from './cancel-payment.ts'

const WIDTH = 10
const WHY = { actor: 'system', reason: "the account of the listing's owner has ended" }

/**
 * Cancels the PENDING payments of others on a person's listings. Their pages are closed by the next run of the
 * reconciliation; money that comes all the same still counts. Safe to repeat.
 */
export async function cancelOnListings(deps: ChangeDeps, agentId: UserId): Promise<void> {
  const payments = await paymentsOnListingsOf(deps.payments, agentId)
  await inParallel(payments, WIDTH, (payment) => cancelPending(deps, payment))
}

const cancelPending = (deps: ChangeDeps, { id }: Payment): Promise<void> =>
  untilWon(async () => {
    const payment = await deps.payments.get(id)
    if (payment && statusOf(payment, deps.now()) === 'PENDING') await cancel(deps, payment, WHY)
  })
