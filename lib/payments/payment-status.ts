import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import type { Currency, Money } from '#lib/kernel/money'
import { refundedBy } from '#lib/payments/refunds/refund'
import { type Fact, type FactOf, factsOf } from './fact.ts'

/** In order of precedence: a payment has the first of these that holds of it. */
export const PaymentStatus = z
  .enum([
    'CHARGED_BACK',
    'DISPUTED',
    'REFUNDED',
    'PARTIALLY_REFUNDED',
    'SUCCEEDED',
    'CANCELLED',
    'FAILED',
    'EXPIRED',
    'PROCESSING',
    'PENDING',
  ])
  .meta({ id: 'PaymentStatus' })
export type PaymentStatus = z.infer<typeof PaymentStatus>

/** What the state of a payment is made of. */
export type Known = { amount: number; currency: Currency; expiresAt: Timestamp; facts: readonly Fact[] }

/**
 * The state of a payment: a function of the set of its facts and the time, never of the order in which they
 * came. Refunds and disputes count only beside a success of the very amount that was asked for.
 */
export function statusOf(payment: Known, now: Date): PaymentStatus {
  const { facts, expiresAt } = payment
  if (isPaid(payment)) return paidStatus(payment)
  if (has(facts, 'cancelled')) return 'CANCELLED'
  if (factsOf(facts, 'failed').some(({ final }) => final)) return 'FAILED'
  if (has(facts, 'expired') || timestamp(now) >= expiresAt) return 'EXPIRED'
  return has(facts, 'processing') ? 'PROCESSING' : 'PENDING'
}

function paidStatus(payment: Known): PaymentStatus {
  const disputes = disputeStates(payment.facts)
  if (disputes.includes('lost')) return 'CHARGED_BACK'
  if (disputes.includes('open')) return 'DISPUTED'
  const refunded = amountRefundedOf(payment)
  if (refunded === 0) return 'SUCCEEDED'
  return refunded < payment.amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
}

/** Whether the money that was asked for has come. */
export const isPaid = (payment: Known): boolean =>
  factsOf(payment.facts, 'succeeded').some(({ money }) => isAskedFor(payment, money))

/** Whether a sum is the very one that was asked for. */
export const isAskedFor = (asked: { amount: number; currency: Currency }, money: Money | null): boolean =>
  money !== null && money.amount === asked.amount && money.currency === asked.currency

/** How much of a payment has been given back, in minor units: 0 until it is paid, and never more than it. */
export const amountRefundedOf = (payment: Known): number =>
  isPaid(payment) ? Math.min(refundedBy(payment.facts), payment.amount) : 0

/** How much of a payment a dispute holds or has taken: all that was not given back, while one is open or lost. */
export const disputedAmountOf = (payment: Known): number =>
  isPaid(payment) && disputeStates(payment.facts).some((state) => state === 'open' || state === 'lost')
    ? payment.amount - amountRefundedOf(payment)
    : 0

/** How each dispute stands: lost is the last word, since one that was won may be opened again and lost. */
function disputeStates(facts: readonly Fact[]): FactOf<'dispute'>['state'][] {
  const groups = Map.groupBy(factsOf(facts, 'dispute'), ({ disputeId }) => disputeId)
  return [...groups.values()].map((group) => {
    const states = group.map(({ state }) => state)
    return states.includes('lost')
      ? 'lost'
      : states.includes('won')
        ? 'won'
        : states.includes('open')
          ? 'open'
          : 'inquiry'
  })
}

const has = (facts: readonly Fact[], kind: Fact['kind']): boolean => facts.some((fact) => fact.kind === kind)
