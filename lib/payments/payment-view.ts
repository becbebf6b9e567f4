import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, PaymentId, RefundId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { attribution, refundsOf, shownId } from '#lib/payments/refunds/refund'
import { byTime, type Fact, factsOf, latest } from './fact.ts'
import { Checkout, Metadata, type Payment, Purpose } from './payment.ts'
import { amountRefundedOf, isPaid, PaymentStatus, statusOf } from './payment-status.ts'

/** A refund as it is shown. */
export const RefundView = z
  .object({
    id: RefundId,
    paymentId: PaymentId,
    amount: Amount,
    currency: Currency,
    status: z.enum(['PENDING', 'SUCCEEDED', 'FAILED']),
    reason: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Refund' })
export type RefundView = z.infer<typeof RefundView>

const EventView = z
  .object({
    type: z.string().meta({ example: 'payment.succeeded' }),
    /** The state the payment had once this had happened. */
    status: PaymentStatus,
    at: Timestamp,
  })
  .meta({ id: 'PaymentEvent' })
type EventView = z.infer<typeof EventView>

/** A payment as its payer sees it. */
export const PaymentView = z
  .object({
    id: PaymentId,
    status: PaymentStatus,
    provider: z.string().meta({ example: 'stripe' }),
    providerReference: z.string().nullable(),
    amount: Amount,
    currency: Currency,
    amountRefunded: z.int().min(0),
    purpose: Purpose,
    listingId: ListingId.nullable(),
    checkout: Checkout.nullable(),
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    metadata: Metadata.nullable(),
    refunds: z.array(RefundView),
    events: z.array(EventView),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Payment' })
export type PaymentView = z.infer<typeof PaymentView>

/** Shows a payment as it stands at a moment. Like its status, a function of the set of facts. */
export const viewOf = (payment: Payment, now: Date): PaymentView => ({
  id: payment.id,
  status: statusOf(payment, now),
  provider: payment.provider,
  providerReference: payment.references[0] ?? null,
  amount: payment.amount,
  currency: payment.currency,
  amountRefunded: amountRefundedOf(payment),
  purpose: payment.purpose,
  listingId: payment.listingId,
  checkout: payment.checkout,
  failure: failureOf(payment),
  metadata: payment.metadata,
  refunds: refundViews(payment),
  events: eventViews(payment, now),
  createdAt: payment.createdAt,
  updatedAt: payment.updatedAt,
})

/** The latest failure, final or not, for as long as the payment is not paid. */
function failureOf(payment: Payment): PaymentView['failure'] {
  const failed = latest(factsOf(payment.facts, 'failed'))
  return failed && !isPaid(payment) ? { code: failed.code, message: failed.message } : null
}

const refundViews = (payment: Payment): RefundView[] =>
  refundsOf(payment.facts).flatMap((refund) => {
    const { money, state, reason, startedAt: createdAt } = refund
    const id = shownId(payment.id, refund)
    return money
      ? [{ id, paymentId: payment.id, ...money, status: REFUND_STATUS[state], reason, createdAt }]
      : []
  })

const REFUND_STATUS = { pending: 'PENDING', succeeded: 'SUCCEEDED', failed: 'FAILED' } as const

/** What happened to the payment, oldest first, each thing once however many events told of it. */
function eventViews(payment: Payment, now: Date): EventView[] {
  const created: EventView = { type: 'payment.created', status: 'PENDING', at: payment.createdAt }
  const aboutOf = attribution(payment.facts)
  const told = new Set<string>()
  const facts = withExpiry(payment, now).toSorted(byTime)
  const events = facts.flatMap((fact, index) => {
    const meaning = fact.kind === 'refund' ? `refund ${aboutOf(fact).key} ${fact.state}` : meaningOf(fact)
    if (told.has(meaning)) return []
    told.add(meaning)
    const status = statusOf({ ...payment, facts: facts.slice(0, index + 1) }, new Date(0))
    return [{ type: typeOf(fact), status, at: fact.at }]
  })
  return [created, ...events]
}

/** The facts, and the passing of time as one of them where it has ended the payment. */
function withExpiry(payment: Payment, now: Date): Fact[] {
  const { expiresAt, facts } = payment
  const before = facts.filter(({ at }) => at < expiresAt)
  const expired = statusOf({ ...payment, facts: before }, now) === 'EXPIRED'
  return expired && !factsOf(facts, 'expired').length
    ? [...facts, { kind: 'expired', id: 'expiry', at: expiresAt }]
    : facts
}

function typeOf(fact: Fact): string {
  if (fact.kind === 'refund') return REFUND_TYPES[fact.state]
  if (fact.kind === 'refunded_total') return REFUND_TYPES.succeeded
  if (fact.kind === 'dispute') return DISPUTE_TYPES[fact.state]
  return `payment.${fact.kind}`
}

const REFUND_TYPES = {
  pending: 'payment.refund_pending',
  succeeded: 'payment.refunded',
  failed: 'payment.refund_failed',
} as const

const DISPUTE_TYPES = {
  inquiry: 'payment.dispute_inquiry',
  open: 'payment.disputed',
  won: 'payment.dispute_won',
  lost: 'payment.dispute_lost',
} as const

/** What two facts have in common that tell of the same thing. */
function meaningOf(fact: Exclude<Fact, { kind: 'refund' }>): string {
  if (fact.kind === 'refunded_total') return `${fact.kind} ${fact.money?.amount}`
  if (fact.kind === 'dispute') return `${fact.kind} ${fact.disputeId} ${fact.state}`
  return fact.kind === 'failed' ? `failed ${fact.id}` : fact.kind
}
