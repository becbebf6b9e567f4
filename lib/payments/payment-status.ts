import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import type { PaymentId } from '#lib/kernel/id'
import type { OrderedFacts } from './charge.ts'
import { type Fact, factsOf } from './fact.ts'
import { type Fold, foldOf } from './fold.ts'
import type { RefundFacts } from './refunds/refund.ts'

/** The statuses of a payment; `statusOf` decides between them. */
export const PaymentStatus = z
  .enum([
    'CHARGED_BACK',
    'DISPUTED',
    'REFUNDED',
    'PARTIALLY_REFUNDED',
    'SUCCEEDED',
    'FAILED',
    'CANCELLED',
    'EXPIRED',
    'PROCESSING',
    'PENDING',
  ])
  .meta({ id: 'PaymentStatus' })
export type PaymentStatus = z.infer<typeof PaymentStatus>

/** The facts on which a payment's status depends, besides the time. */
export type Facts = OrderedFacts & RefundFacts & { id: PaymentId; expiresAt: Timestamp }

/** The id of the fact that we state of a payment ourselves: that its payer gave it up, or that its time is over. */
export const ownFactId = (kind: 'cancelled' | 'expired' | 'failed', id: PaymentId): string => `${kind}:${id}`

/**
 * Returns the status of a payment: a function of the set of its facts and the time, never of the order in which they
 * came. Only refunds and disputes of the charge that counts change the status.
 */
export function statusOf(payment: Facts, now: Date): PaymentStatus {
  const { facts, id, expiresAt } = payment
  const { counting } = foldOf(payment)
  if (counting) return paidStatus(counting)
  const byProvider = (kind: 'cancelled' | 'expired') =>
    facts.some((fact) => fact.kind === kind && fact.id !== ownFactId(kind, id))
  if (factsOf(facts, 'failed').some(({ final }) => final) || has(facts, 'taken_back')) return 'FAILED'
  if (byProvider('cancelled')) return 'CANCELLED'
  if (byProvider('expired')) return 'EXPIRED'
  if (isProcessing(facts)) return 'PROCESSING'
  if (has(facts, 'cancelled')) return 'CANCELLED'
  return has(facts, 'expired') || timestamp(now) >= expiresAt ? 'EXPIRED' : 'PENDING'
}

function paidStatus({ disputes, refunded, money }: NonNullable<Fold['counting']>): PaymentStatus {
  if (disputes.some(({ state }) => state === 'lost')) return 'CHARGED_BACK'
  if (disputes.some(({ state }) => state === 'open')) return 'DISPUTED'
  if (refunded === 0) return 'SUCCEEDED'
  return refunded < money.amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
}

/** Whether money has come that counts. */
export const isPaid = (payment: OrderedFacts & RefundFacts): boolean => foldOf(payment).counting !== undefined

/** Whether an attempt to pay is under way. A refused attempt is over, though the page may take another. */
function isProcessing(facts: readonly Fact[]): boolean {
  const refused = new Set(factsOf(facts, 'failed').map(({ tryId }) => tryId))
  return factsOf(facts, 'processing').some(({ tryId }) => tryId == null || !refused.has(tryId))
}

const has = (facts: readonly Fact[], kind: Fact['kind']): boolean => facts.some((fact) => fact.kind === kind)
