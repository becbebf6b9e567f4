import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { byTime, type Fact, type FactOf, factsOf } from './fact.ts'
import type { Payment } from './payment.ts'
import { ownFactId, PaymentStatus, statusOf } from './payment-status.ts'
import { refundKeys } from './refunds/refund.ts'

export const EventView = z
  .object({
    type: z.string().meta({ example: 'payment.succeeded' }),
    /** The state the payment had once this had happened. */
    status: PaymentStatus,
    at: Timestamp,
  })
  .meta({ id: 'PaymentEvent' })
type EventView = z.infer<typeof EventView>

/** Returns what happened to the payment, oldest first, each thing once however many facts state it. */
export function eventViews(payment: Payment, now: Date): EventView[] {
  const created: EventView = { type: 'payment.created', status: 'PENDING', at: payment.createdAt }
  const shown = new Set<string>()
  const refundKeyOf = refundKeys(payment.facts)
  const facts = withExpiry(payment, now).toSorted(byTime)
  const events = facts.flatMap((fact, index) => {
    const meaning = meaningOf(fact, refundKeyOf)
    if (meaning === null || shown.has(meaning)) return []
    shown.add(meaning)
    // At the beginning of time, so that only the facts decide and not the clock.
    const status = statusOf({ ...payment, facts: facts.slice(0, index + 1) }, new Date(0))
    return [{ type: typeOf(fact), status, at: fact.at }]
  })
  return [created, ...events]
}

/** Returns the facts, with the expiry as one of them where so far only the clock says so. */
function withExpiry(payment: Payment, now: Date): Fact[] {
  const { expiresAt, facts, id } = payment
  const before = facts.filter(({ at }) => at < expiresAt)
  const expired = statusOf({ ...payment, facts: before }, now) === 'EXPIRED'
  return expired && !factsOf(facts, 'expired').length
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

/** Returns what facts of the same thing have in common; null for what is no event of the payment's. */
function meaningOf(fact: Fact, refundKeyOf: (fact: FactOf<'refund'>) => string): string | null {
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
