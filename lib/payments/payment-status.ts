import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import type { PaymentId } from '#lib/kernel/id'
import { type Asked, type Charge, chargesOf, isOf } from '#lib/payments/charge'
import { type Dispute, disputesOf, takesMoney } from '#lib/payments/dispute'
import { type Refund, type Refunded, refundsOf, sumOf } from '#lib/payments/refunds/refund'
import { type Fact, factsOf } from './fact.ts'

/** In order of precedence: a payment has the first of these that holds of it. */
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

/** What the state of a payment is made of. */
export type Known = Asked & Refunded & { id: PaymentId; expiresAt: Timestamp }

/** The id of the fact that we state of a payment ourselves: that its payer gave it up, or that its time is over. */
export const ownFactId = (kind: 'cancelled' | 'expired' | 'failed', id: PaymentId): string => `${kind}:${id}`

/**
 * The state of a payment: a function of the set of its facts and the time, never of the order in which they came.
 * Refunds and disputes count only beside a charge of the sum that was asked for; those of further charges change none.
 */
export function statusOf(payment: Known, now: Date): PaymentStatus {
  const { facts, id, expiresAt } = payment
  if (isPaid(payment)) return paidStatus(payment)
  const byProvider = (kind: 'cancelled' | 'expired') =>
    facts.some((fact) => fact.kind === kind && fact.id !== ownFactId(kind, id))
  if (factsOf(facts, 'failed').some(({ final }) => final)) return 'FAILED'
  if (byProvider('cancelled')) return 'CANCELLED'
  if (byProvider('expired')) return 'EXPIRED'
  if (isProcessing(facts)) return 'PROCESSING'
  if (has(facts, 'cancelled')) return 'CANCELLED'
  return has(facts, 'expired') || timestamp(now) >= expiresAt ? 'EXPIRED' : 'PENDING'
}

function paidStatus(payment: Known): PaymentStatus {
  const [first] = accountsOf(payment)
  if (!first) return 'PENDING'
  if (first.disputes.some(({ state }) => state === 'lost')) return 'CHARGED_BACK'
  if (first.disputes.some(({ state }) => state === 'open')) return 'DISPUTED'
  if (first.refunded === 0) return 'SUCCEEDED'
  return first.refunded < first.charge.money.amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
}

/** One charge with what was taken from it, in minor units. */
export type ChargeAccount = {
  charge: Charge
  refunds: Refund[]
  disputes: Dispute[]
  /** What was given back, however much that is. */
  refunded: number
  /** What is on its way back. */
  pending: number
  /** What disputes hold or have taken. */
  disputed: number
  /** What can still be given back. */
  left: number
}

/** Each charge of a payment with its refunds and disputes, the first charge first. */
export function accountsOf(payment: Known): ChargeAccount[] {
  const charges = chargesOf(payment)
  const [allRefunds, allDisputes] = [refundsOf(payment), disputesOf(payment)]
  return charges.map((charge, place) => {
    const refunds = allRefunds.filter(({ chargeId }) => isOf(charge, charges, chargeId))
    const disputes = allDisputes.filter(({ chargeId }) => isOf(charge, charges, chargeId))
    const named = sumOf(refunds.filter(({ state }) => state === 'succeeded'))
    const refunded = place === 0 ? Math.max(named, runningTotalOf(payment.facts)) : named
    const pending = sumOf(refunds.filter(({ state }) => state === 'pending'))
    const disputed = disputes.filter(takesMoney).reduce((total, { amount }) => total + amount, 0)
    const left = Math.max(0, charge.money.amount - refunded - pending - disputed)
    return { charge, refunds, disputes, refunded, pending, disputed, left }
  })
}

/** The largest running total of refunds, which only payments of the first edition have. */
export const runningTotalOf = (facts: readonly Fact[]): number =>
  Math.max(0, ...factsOf(facts, 'refunded_total').map(({ money }) => money?.amount ?? 0))

/** Whether money has come that counts. */
export const isPaid = (payment: Asked): boolean => chargesOf(payment).length > 0

/** What was paid, in minor units: the sum of the first charge; until there is one, what is asked for. */
export const amountPaidOf = (payment: Asked): number => chargesOf(payment)[0]?.money.amount ?? payment.amount

/** How much of a payment has been given back, in minor units: 0 until it is paid, and never more than was paid. */
export function amountRefundedOf(payment: Known): number {
  const [first] = accountsOf(payment)
  return first ? Math.min(first.refunded, first.charge.money.amount) : 0
}

/** How much disputes hold or have taken, in minor units: at most what was not given back. */
export function amountDisputedOf(payment: Known): number {
  const [first] = accountsOf(payment)
  return first ? Math.min(first.disputed, first.charge.money.amount - amountRefundedOf(payment)) : 0
}

/** Whether a try to pay is under way: one that was refused is over, though the page may be open for another. */
function isProcessing(facts: readonly Fact[]): boolean {
  const refused = new Set(factsOf(facts, 'failed').map(({ tryId }) => tryId))
  return factsOf(facts, 'processing').some(({ tryId }) => tryId == null || !refused.has(tryId))
}

const has = (facts: readonly Fact[], kind: Fact['kind']): boolean => facts.some((fact) => fact.kind === kind)
