import { isDeepStrictEqual } from 'node:util'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { FollowChange, Followed } from '#lib/payments/change/change-payment'
import { foldOf, hasMoney } from '#lib/payments/state/fold'
import type { Payment } from '#lib/payments/state/payment'
import { isPaid } from '#lib/payments/state/payment-status'
import { type Closed, closeRequest } from './close-request.ts'
import { type FollowHoldDeps, followHold, NOTHING } from './holds/follow-hold.ts'
import { isHoldingPayment } from './holds/hold.ts'
import { type PaymentRequest, withPaymentStatus } from './payment-request.ts'
import { requestPaid } from './request-events.ts'
import type { RequestStore } from './request-store.ts'

type FollowRequestDeps = {
  requests: RequestStore
  enquiries: EnquiryStore
  now: Clock
  newId: NewId
}

export type FollowDeps = FollowRequestDeps & FollowHoldDeps

/**
 * Lets a payment request, and the hold on its listing, follow a change of their payment. A payment that ends without a
 * success ends the request with the status `closes`, if that is given.
 */
export const followChange =
  (deps: FollowDeps, closes?: Closed): FollowChange =>
  async (before, after) => {
    const [request, hold] = await Promise.all([
      followRequest(deps, before, after, closes),
      isHoldingPayment(after) ? followHold(deps, before, after) : NOTHING,
    ])
    return { writes: [...request.writes, ...hold.writes], raised: [...request.raised, ...hold.raised] }
  }

/**
 * Lets a payment request follow a change of its payment. The first success makes it PAID from any status; a further
 * success needs an administrator. A payment that ends without a success leaves the request open for another payment, or
 * ends the request with the status `closes`, if that is given.
 */
async function followRequest(
  deps: FollowRequestDeps,
  before: Payment,
  payment: Payment,
  closes: Closed | undefined,
): Promise<Followed> {
  const { paymentRequestId: id } = payment
  const seen = id === null ? undefined : await deps.requests.get(id)
  if (!seen) return NOTHING
  const next = withPaymentStatus(seen, payment, { isPaid: isPaid(payment) })
  if (isPaid(payment) && seen.paymentId === null) {
    return { writes: paidWrites(deps, seen, next, payment), raised: [] }
  }
  if (closes && seen.status === 'OPEN')
    return { writes: closeRequest(deps, seen, next, closes).writes, raised: [] }
  // Only a paid payment has money. One whose money was given back at once has none, and needs no administrator.
  const bringsMoney = hasMoney(payment) && !hasMoney(before)
  const isPaidTwice = bringsMoney && seen.paymentId !== payment.id
  return {
    writes: isSame(seen, next) ? [] : deps.requests.replace(seen, { ...next, version: seen.version + 1 }),
    raised: isPaidTwice ? ['request_paid_twice'] : [],
  }
}

/** Whether two versions of a request have the same payments: `withPaymentStatus` changes nothing else. */
const isSame = (one: PaymentRequest, other: PaymentRequest): boolean =>
  isDeepStrictEqual([one.underway, one.unpaid], [other.underway, other.unpaid])

function paidWrites(
  { requests, enquiries, newId }: FollowRequestDeps,
  seen: PaymentRequest,
  next: PaymentRequest,
  payment: Payment,
): Write[] {
  const request: PaymentRequest = {
    ...next,
    status: 'PAID',
    paymentId: payment.id,
    version: seen.version + 1,
  }
  const open = seen.status === 'OPEN' ? -1 : 0
  return [
    ...requests.replace(seen, request),
    enquiries.countRequests(seen.enquiryId, { open, paid: 1 }),
    requestPaid(
      { newId, request, at: payment.updatedAt },
      { paymentId: payment.id, amount: foldOf(payment).amountPaid },
    ),
  ]
}
