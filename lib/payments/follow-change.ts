import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import type { Clock } from '#lib/kernel/clock'
import type { NewId, PaymentId, PaymentRequestId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { type AttentionCode, attentionOf } from './attention.ts'
import { lookNow, type Payment } from './payment.ts'
import { amountPaidOf, isPaid, type PaymentStatus } from './payment-status.ts'
import type { PaymentStore } from './payment-store.ts'
import type { PaymentRequest } from './requests/payment-request.ts'
import { requestPaid } from './requests/request-events.ts'
import type { RequestStore } from './requests/request-store.ts'
import { type Followed, type FollowHoldDeps, followHold, NOTHING } from './reservations/follow-hold.ts'
import { isRequestedDeposit } from './reservations/hold.ts'

export type FollowDeps = FollowHoldDeps & {
  payments: Pick<PaymentStore, 'save'>
  requests: Pick<RequestStore, 'get' | 'replace'>
  enquiries: Pick<EnquiryStore, 'countRequests'>
  now: Clock
  newId: NewId
}

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
  const request = await followRequest(deps, before, after, after.paymentRequestId)
  const hold = isRequestedDeposit(after) ? await followHold(deps, before, after) : NOTHING
  const { raised = [] } = request
  return {
    payment: withRaised(after, [...raised, ...(hold.raised ?? [])], deps.now()),
    writes: [
      ...request.writes,
      ...hold.writes,
      ...(await lookedAtAgain(deps, [...(request.lookAgain ?? []), ...(hold.lookAgain ?? [])])),
    ],
  }
}

/** The most payments that are looked at again for one change. */
const LOOKED_AT_MAX = 10

/** Payments as due now: the next run of the reconciliation finds whether they need someone still. */
async function lookedAtAgain({ payments, now }: FollowDeps, ids: readonly PaymentId[]): Promise<Write[]> {
  const found = await Promise.all([...new Set(ids)].slice(0, LOOKED_AT_MAX).map((id) => payments.get(id)))
  return found.flatMap((payment) => {
    const next = payment && lookNow(payment, now())
    return payment && next ? payments.save(payment, next) : []
  })
}

/**
 * The first payment that succeeds makes its request PAID, whatever the request's status. A payment that ends without
 * a success leaves the request free for another.
 */
async function followRequest(
  deps: FollowDeps,
  before: Payment,
  payment: Payment,
  id: PaymentRequestId,
): Promise<Followed> {
  const seen = await deps.requests.get(id)
  if (!seen) return NOTHING
  const isFirst = isPaid(payment) && seen.paymentId === null
  const underway = underwayOf(seen, payment)
  const next: PaymentRequest = { ...seen, underway, version: seen.version + 1 }
  if (isFirst) {
    const paid: PaymentRequest = { ...next, status: 'PAID', paymentId: payment.id }
    return { writes: paidWrites(deps, seen, paid, payment) }
  }
  if (isPaid(payment) && seen.paymentId !== payment.id) return followFurther(deps, seen, next, payment)
  const isOtherwise = GIVEN_BACK.has(payment.status) !== GIVEN_BACK.has(before.status)
  return {
    writes: underway === seen.underway ? [] : deps.requests.replace(seen, next),
    lookAgain: isOtherwise && seen.paymentId === payment.id ? seen.further : [],
  }
}

/** A further success needs someone for as long as neither it nor the first one was given back. */
async function followFurther(
  deps: FollowDeps,
  seen: PaymentRequest,
  next: PaymentRequest,
  payment: Payment,
): Promise<Followed> {
  const first = seen.paymentId && (await deps.payments.get(seen.paymentId))
  const isKnown = seen.further.includes(payment.id)
  const further = isKnown ? seen.further : [...seen.further, payment.id]
  const isSame = isKnown && next.underway === seen.underway
  const writes = isSame ? [] : deps.requests.replace(seen, { ...next, further })
  if (!first || GIVEN_BACK.has(first.status) || GIVEN_BACK.has(payment.status)) return { writes }
  return { writes: [...writes, deps.payments.unchanged(first)], raised: ['request_paid_twice'] }
}

function underwayOf({ status, underway }: PaymentRequest, payment: Payment): PaymentRequest['underway'] {
  if (status === 'OPEN' && UNDERWAY.has(payment.status)) return underway ?? payment.id
  return underway === payment.id ? null : underway
}

function paidWrites(
  { requests, enquiries, newId }: FollowDeps,
  seen: PaymentRequest,
  next: PaymentRequest,
  payment: Payment,
): Write[] {
  const open = seen.status === 'OPEN' ? -1 : 0
  return [
    ...requests.replace(seen, next),
    enquiries.countRequests(seen.enquiryId, { open, paid: 1 }),
    requestPaid(
      { newId, request: next, at: payment.updatedAt },
      { paymentId: payment.id, amount: amountPaidOf(payment) },
    ),
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
