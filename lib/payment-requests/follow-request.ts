import { isDeepStrictEqual } from 'node:util'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import type { Clock } from '#lib/kernel/clock'
import type { NewId, PaymentRequestId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { type Followed, NOTHING } from '#lib/payment-requests/holds/follow-hold'
import { hasMoney } from '#lib/payment-requests/holds/hold'
import { foldOf } from '#lib/payments/state/fold'
import type { Payment } from '#lib/payments/state/payment'
import { isPaid } from '#lib/payments/state/payment-status'
import { type Closed, closeRequest } from './close-request.ts'
import { type PaymentRequest, withPaymentStatus } from './payment-request.ts'
import { requestPaid } from './request-events.ts'
import type { RequestStore } from './request-store.ts'

export type FollowRequestDeps = {
  requests: Pick<RequestStore, 'get' | 'replace'>
  enquiries: Pick<EnquiryStore, 'countRequests'>
  now: Clock
  newId: NewId
}

/**
 * Lets a payment request follow a change of its payment. The first success makes it PAID from any status; a further
 * success needs an administrator. A payment that ends without a success leaves the request open for another payment, or
 * ends the request with the status `closes`, if that is given.
 */
export async function followRequest(
  deps: FollowRequestDeps,
  before: Payment,
  payment: Payment,
  id: PaymentRequestId,
  closes: Closed | undefined,
): Promise<Followed> {
  const seen = await deps.requests.get(id)
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
