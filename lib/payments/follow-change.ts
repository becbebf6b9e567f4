import type { Write } from '#lib/kernel/write'
import { type AttentionCode, attentionOf } from './attention.ts'
import type { Payment } from './payment.ts'
import type { PaymentStore } from './payment-store.ts'
import type { Closed } from './requests/close-request.ts'
import { type FollowRequestDeps, followRequest } from './requests/follow-request.ts'
import { type FollowHoldDeps, followHold, NOTHING } from './reservations/follow-hold.ts'
import { hasMoney, isHoldingPayment } from './reservations/hold.ts'

export type FollowDeps = FollowHoldDeps & FollowRequestDeps & { payments: Pick<PaymentStore, 'save'> }

/**
 * Lets the payment request and the hold on the listing follow a change of their payment, in its transaction. Returns the
 * payment with the reasons for which it needs someone now.
 */
export async function followChange(
  deps: FollowDeps,
  before: Payment,
  after: Payment,
  closes?: Closed,
): Promise<{ payment: Payment; writes: Write[] }> {
  if (after.paymentRequestId === null) return { payment: after, writes: [] }
  const [request, hold] = await Promise.all([
    followRequest(deps, before, after, after.paymentRequestId, closes),
    isHoldingPayment(after) ? followHold(deps, before, after) : NOTHING,
  ])
  const payment = withRaised(after, [...request.raised, ...hold.raised], deps.now())
  return { payment, writes: [...request.writes, ...hold.writes] }
}

/** Adds the reasons that were found outside the payment. They stay until its money is given back. */
function withRaised(payment: Payment, codes: readonly AttentionCode[], now: Date): Payment {
  const known = hasMoney(payment) ? payment.raised : []
  const added = codes.filter((code) => known.every((each) => each.code !== code))
  const raised = [...known, ...added.map((code) => ({ code, at: payment.updatedAt }))]
  const next = { ...payment, raised }
  return { ...next, attention: attentionOf(next, payment.attention, now) }
}
