import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import type { Clock } from '#lib/kernel/clock'
import type { NewId, PaymentRequestId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { type AttentionCode, attentionOf } from './attention.ts'
import type { Payment } from './payment.ts'
import { isPaid, type PaymentStatus } from './payment-status.ts'
import type { PaymentRequest } from './requests/payment-request.ts'
import { requestPaid } from './requests/request-events.ts'
import type { RequestStore } from './requests/request-store.ts'
import { type FollowHoldDeps, followHold } from './reservations/follow-hold.ts'
import { isRequestedDeposit } from './reservations/hold.ts'

export type FollowDeps = FollowHoldDeps & {
  requests: Pick<RequestStore, 'get' | 'replace'>
  enquiries: Pick<EnquiryStore, 'countRequests'>
  now: Clock
  newId: NewId
}

/** What follows from a change: writes of the same transaction, and why the payment needs someone. */
export type Followed = { writes: Write[]; raised: AttentionCode[] }

const RAISED: readonly AttentionCode[] = ['request_paid_twice', 'listing_held_by_another']
const UNDERWAY: ReadonlySet<PaymentStatus> = new Set(['PENDING', 'PROCESSING'])
const GIVEN_BACK: ReadonlySet<PaymentStatus> = new Set(['REFUNDED', 'CHARGED_BACK'])

/**
 * Lets the payment request and the hold on the listing follow a change of their payment, in its transaction. Answers the
 * payment with the reasons for which it needs someone now.
 */
export async function followChange(
  deps: FollowDeps,
  before: Payment,
  after: Payment,
): Promise<{ payment: Payment; writes: Write[] }> {
  if (after.paymentRequestId === null) return { payment: after, writes: [] }
  const request = await followRequest(deps, after, after.paymentRequestId)
  const hold = isRequestedDeposit(after) ? await followHold(deps, before, after) : NOTHING
  return {
    payment: withRaised(after, [...request.raised, ...hold.raised], deps.now()),
    writes: [...request.writes, ...hold.writes],
  }
}

const NOTHING: Followed = { writes: [], raised: [] }

/** The first success makes a request PAID, whatever it was; a payment that ends without one leaves it free again. */
async function followRequest(deps: FollowDeps, payment: Payment, id: PaymentRequestId): Promise<Followed> {
  const seen = await deps.requests.get(id)
  if (!seen) return NOTHING
  const isFirst = isPaid(payment) && seen.paymentId === null
  const next: PaymentRequest = {
    ...seen,
    underway: underwayOf(seen, payment),
    ...(isFirst && { status: 'PAID', paymentId: payment.id }),
    version: seen.version + 1,
  }
  const isPaidTwice = isPaid(payment) && next.paymentId !== payment.id && !GIVEN_BACK.has(payment.status)
  return {
    writes: isFirst || next.underway !== seen.underway ? writesOf(deps, seen, next, payment, isFirst) : [],
    raised: isPaidTwice ? ['request_paid_twice'] : [],
  }
}

function underwayOf({ status, underway }: PaymentRequest, payment: Payment): PaymentRequest['underway'] {
  if (status === 'OPEN' && UNDERWAY.has(payment.status)) return underway ?? payment.id
  return underway === payment.id ? null : underway
}

function writesOf(
  { requests, enquiries, newId }: FollowDeps,
  seen: PaymentRequest,
  next: PaymentRequest,
  { id: paymentId, updatedAt: at }: Payment,
  isFirst: boolean,
): Write[] {
  const writes = requests.replace(seen, next)
  if (!isFirst) return writes
  const open = seen.status === 'OPEN' ? -1 : 0
  return [
    ...writes,
    enquiries.countRequests(seen.enquiryId, { open, paid: 1 }),
    requestPaid({ newId, request: next, at }, paymentId),
  ]
}

/** The payment with these reasons found outside it; a reason that it had keeps its time. */
function withRaised(payment: Payment, codes: readonly AttentionCode[], now: Date): Payment {
  const others = payment.raised.filter(({ code }) => !RAISED.includes(code))
  const raised = codes.map(
    (code) => payment.raised.find((each) => each.code === code) ?? { code, at: payment.updatedAt },
  )
  const next = { ...payment, raised: [...others, ...raised] }
  return { ...next, attention: attentionOf(next, payment.attention, now) }
}
