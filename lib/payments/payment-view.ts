import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, PaymentId, PaymentRequestId, RefundId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { receiptNumberOf } from './receipt-number.ts'
import { byTime, type Fact, type FactOf, factsOf, latest } from './state/fact.ts'
import { foldOf } from './state/fold.ts'
import { Checkout, Metadata, PaidListing, type Payment, Purpose } from './state/payment.ts'
import { isPaid, isUnresolved, ownFactId, PaymentStatus, statusOf } from './state/payment-status.ts'
import { type Refund, refundKeys, shownId } from './state/refund.ts'

/** A refund as it is shown. */
export const RefundView = z
  .object({
    id: RefundId,
    paymentId: PaymentId,
    chargeId: z.string().nullable().meta({
      description: "The provider's id of the charge that it gives back",
      example: 'ch_3QK2Lm2eZvKYlo2C',
    }),
    amount: Amount,
    currency: Currency,
    status: z.enum(['PENDING', 'SUCCEEDED', 'FAILED']).meta({ example: 'SUCCEEDED' }),
    needsResolution: z.boolean().meta({
      example: false,
      description: 'Whether an administrator has to say what became of it: its provider does not know it',
    }),
    reason: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Refund' })
export type RefundView = z.infer<typeof RefundView>

/** Something that happened to a payment. */
const EventView = z
  .object({
    type: z.string().meta({ example: 'payment.succeeded' }),
    /** The status of the payment after this. */
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
    providerReference: z.string().nullable().meta({ example: 'pi_3QK2Lm2eZvKYlo2C' }),
    amount: Amount,
    currency: Currency,
    amountPaid: z
      .int()
      .min(0)
      .meta({ description: 'The sum of the charge that counts, else 0', example: 150_000 }),
    amountRefunded: z.int().min(0).meta({ example: 0 }),
    amountDisputed: z.int().min(0).meta({ example: 0 }),
    purpose: Purpose,
    listingId: ListingId.nullable(),
    listing: PaidListing.nullable(),
    paymentRequestId: PaymentRequestId.nullable(),
    receiptNumber: z.string().nullable().meta({ example: 'R-01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    checkout: Checkout.nullable().meta({
      description: 'Where to pay; null once the payment is over',
      example: null,
    }),
    failure: z.object({ code: z.string(), message: z.string() }).nullable().meta({ example: null }),
    metadata: Metadata.nullable(),
    refunds: z.array(RefundView).meta({ example: [] }),
    events: z.array(EventView),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Payment' })
export type PaymentView = z.infer<typeof PaymentView>

/** Shows a payment as it stands at a moment. The view follows from the set of facts, as the status does. */
export function viewOf(payment: Payment, now: Date): PaymentView {
  const { id, provider, amount, currency, purpose, listingId, listing, paymentRequestId } = payment
  const { amountPaid, amountRefunded, amountDisputed, refunds, countingCharge } = foldOf(payment)
  const status = statusOf(payment, now)
  return {
    id,
    status,
    provider,
    providerReference: payment.references[0] ?? null,
    amount,
    currency,
    amountPaid,
    amountRefunded,
    amountDisputed,
    purpose,
    listingId,
    listing,
    paymentRequestId,
    receiptNumber: countingCharge ? receiptNumberOf(id) : null,
    checkout: status === 'PENDING' || status === 'PROCESSING' ? payment.checkout : null,
    failure: failureOf(payment),
    metadata: payment.metadata,
    refunds: refunds.flatMap((refund) => refundView(payment, refund, now)),
    events: eventViews(payment, now),
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
  }
}

/** Returns the latest failure, final or not, for as long as the payment is not paid. */
function failureOf(payment: Payment): PaymentView['failure'] {
  if (isPaid(payment)) return null
  const taken = latest(factsOf(payment.facts, 'taken_back'))
  if (taken) return { code: taken.code, message: 'The money did not come after all.' }
  const failed = latest(factsOf(payment.facts, 'failed'))
  return failed ? { code: failed.code, message: failed.message } : null
}

/** Returns a refund as it is shown; absent while its sum is unknown. */
export function refundView(payment: Payment, refund: Refund, now: Date): RefundView[] {
  const { money, state, chargeId, reason, startedAt: createdAt } = refund
  if (!money) return []
  const id = shownId(payment.id, refund)
  const needsResolution = isUnresolved(refund, now)
  const status = REFUND_STATUS[state]
  return [{ id, paymentId: payment.id, chargeId, ...money, status, needsResolution, reason, createdAt }]
}

const REFUND_STATUS = { pending: 'PENDING', succeeded: 'SUCCEEDED', failed: 'FAILED' } as const

/** Returns what happened to the payment, oldest first, each thing once however many facts state it. */
function eventViews(payment: Payment, now: Date): EventView[] {
  const created: EventView = { type: 'payment.created', status: 'PENDING', at: payment.createdAt }
  const shown = new Set<string>()
  const refundKeyOf = refundKeys(payment.facts)
  const facts = withExpiry(payment, now).toSorted(byTime)
  let last: PaymentStatus = created.status
  const events = facts.flatMap((fact, index) => {
    const key = eventKeyOf(fact, refundKeyOf)
    if (key === null) return []
    // At the beginning of time the clock expires nothing: the facts alone decide.
    const status = statusOf({ ...payment, facts: facts.slice(0, index + 1) }, new Date(0))
    // What moves the status once more has happened once more: a capture that failed is brought again.
    if (shown.has(key) && status === last) return []
    shown.add(key)
    last = status
    return [{ type: typeOf(fact), status, at: fact.at }]
  })
  return [created, ...events]
}

/** Returns the facts, with the expiry where only the clock says that the payment expired, even if money came later. */
function withExpiry(payment: Payment, now: Date): Fact[] {
  const { expiresAt, facts, id } = payment
  const factsBeforeExpiry = facts.filter(({ at }) => at < expiresAt)
  const hasExpired = statusOf({ ...payment, facts: factsBeforeExpiry }, now) === 'EXPIRED'
  const isStated = factsOf(facts, 'expired').length > 0
  return hasExpired && !isStated
    ? [...facts, { kind: 'expired', id: ownFactId('expired', id), at: expiresAt }]
    : facts
}

function typeOf(fact: Fact): string {
  if (fact.kind === 'refund') return REFUND_TYPES[fact.state]
  if (fact.kind === 'resolution') return REFUND_TYPES[fact.outcome]
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

/** Returns one text for all facts that state the same event; null for a fact that is not shown as an event. */
function eventKeyOf(fact: Fact, refundKeyOf: (fact: FactOf<'refund'>) => string): string | null {
  switch (fact.kind) {
    case 'fee':
      return null
    case 'refund':
      return `refund ${refundKeyOf(fact)} ${fact.state}`
    case 'resolution':
      return `refund ${fact.refundId} ${fact.outcome}`
    case 'dispute':
      return `dispute ${fact.disputeId} ${fact.state}`
    case 'failed':
      return `failed ${fact.code} ${fact.message}`
    case 'taken_back':
      return `taken_back ${fact.chargeId} ${fact.captureId}`
    case 'succeeded':
      return `succeeded ${fact.chargeId ?? ''}`
    default:
      return fact.kind
  }
}
