import type { Write } from '#lib/kernel/write'
import { type ChangeDeps, changeOf } from '#lib/payments/change/change-payment'
import { giveUp } from '#lib/payments/change/give-up'
import { type Payment, revised } from '#lib/payments/state/payment'
import { statusOf } from '#lib/payments/state/payment-status'
import { type Closed, closeRequest } from './close-request.ts'
import { type FollowDeps, followChange } from './follow-request.ts'
import { type PaymentRequest, pendingOf, withPaymentStatus } from './payment-request.ts'

/** Whoever ends a request follows the change of its payment, so no other is told. */
export type EndRequestDeps = Omit<ChangeDeps, 'followChange'> & FollowDeps

/** A request that ends unpaid, the payment that is cancelled with it, and the writes of one transaction. */
export type Ending = { request: PaymentRequest; cancelledPayment: Payment | undefined; writes: Write[] }

/**
 * Returns the end of an OPEN request of which no payment is PROCESSING. Its PENDING payment is cancelled in the same
 * transaction; money that comes for it later makes the request PAID.
 */
export async function endingOf(
  deps: EndRequestDeps,
  seen: PaymentRequest,
  status: Closed,
  actor: string,
): Promise<Ending> {
  const pending = pendingOf(seen)
  const payment = pending && (await deps.payments.get(pending))
  const now = deps.now()
  if (!payment || statusOf(payment, now) !== 'PENDING') {
    // No payment changes: the request ends as it was seen.
    return { ...closeRequest(deps, seen, seen, status), cancelledPayment: undefined }
  }
  // The writes of the payment's change include those of its request.
  const following = { ...deps, followChange: followChange(deps, status) }
  const why = { actor, reason: `payment request ${status}` }
  const change = await changeOf(following, payment, revised(payment, giveUp(payment, now), now), why)
  const ended = withPaymentStatus({ ...seen, status }, change.payment)
  return { request: ended, cancelledPayment: change.payment, writes: change.writes }
}
