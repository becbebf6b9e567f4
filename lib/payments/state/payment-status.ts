import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import type { PaymentId } from '#lib/kernel/id'
import { needsResolution } from './attempt.ts'
import type { OrderedFacts } from './charge.ts'
import { type Fact, factsOf, latest } from './fact.ts'
import { type Charge, type Fold, foldOf } from './fold.ts'
import type { Refund, RefundFacts } from './refund.ts'

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
  .meta({ id: 'PaymentStatus', example: 'SUCCEEDED' })
export type PaymentStatus = z.infer<typeof PaymentStatus>

/** The facts on which a payment's status depends, besides the time. */
export type Facts = OrderedFacts & RefundFacts & { id: PaymentId; expiresAt: Timestamp }

/** Returns the id of a fact that we state ourselves: the payer gave up, the time is over, or the start was refused. */
export const ownFactId = (kind: 'cancelled' | 'expired' | 'failed', id: PaymentId): string => `${kind}:${id}`

/**
 * Returns the status of a payment: a function of the set of its facts and the time, never of the order in which they
 * came. Only refunds and disputes of the charge that counts change the status.
 */
export function statusOf(payment: Facts, now: Date): PaymentStatus {
  const { facts, id, expiresAt } = payment
  const { countingCharge } = foldOf(payment)
  if (countingCharge) return paidStatus(countingCharge)
  const byProvider = (kind: 'cancelled' | 'expired') =>
    facts.some((fact) => fact.kind === kind && fact.id !== ownFactId(kind, id))
  if (factsOf(facts, 'failed').some(({ final }) => final) || has(facts, 'taken_back')) return 'FAILED'
  // A cancellation or expiry that the provider stated ends an attempt under way. Our own does not: money may still come.
  if (byProvider('cancelled')) return 'CANCELLED'
  if (byProvider('expired')) return 'EXPIRED'
  if (isProcessing(facts)) return 'PROCESSING'
  if (has(facts, 'cancelled')) return 'CANCELLED'
  return has(facts, 'expired') || timestamp(now) >= expiresAt ? 'EXPIRED' : 'PENDING'
}

function paidStatus({ disputes, refunded, money }: NonNullable<Fold['countingCharge']>): PaymentStatus {
  if (disputes.some(({ state }) => state === 'lost')) return 'CHARGED_BACK'
  if (disputes.some(({ state }) => state === 'open')) return 'DISPUTED'
  if (refunded === 0) return 'SUCCEEDED'
  return refunded < money.amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
}

/** Whether a charge counts as the success of the payment. */
export const isPaid = (payment: OrderedFacts & RefundFacts): boolean =>
  foldOf(payment).countingCharge !== undefined

/** Whether an attempt to pay is under way. A refused one with a `tryId` is over, though the page may take another. */
function isProcessing(facts: readonly Fact[]): boolean {
  const refused = new Set(factsOf(facts, 'failed').map(({ tryId }) => tryId))
  return factsOf(facts, 'processing').some(({ tryId }) => tryId == null || !refused.has(tryId))
}

const has = (facts: readonly Fact[], kind: Fact['kind']): boolean => facts.some((fact) => fact.kind === kind)

/** Why a payment needs someone. */
export const AttentionCode = z
  .enum([
    'second_charge',
    'wrong_sum',
    'wrong_currency',
    'unknown_charge',
    'capture_failed',
    'refunded_and_charged_back',
    'refund_unresolved',
    'over_refunded',
    'dispute_due',
    'listing_paid_twice',
    'listing_taken',
    'request_paid_twice',
    'listing_held_by_another',
    'processing_too_long',
    'cannot_be_read',
  ])
  .meta({ id: 'AttentionCode' })
export type AttentionCode = z.infer<typeof AttentionCode>

/** One reason, and since when it holds. */
export const Attention = z.object({ code: AttentionCode, at: Timestamp }).meta({ id: 'Attention' })
export type Attention = z.infer<typeof Attention>

/** The fields of a payment that decide, together with the time, whether it needs someone. */
type Watched = Facts & {
  /** Readings in a row that failed. */
  faults: number
  /** Reasons that were found outside the payment itself. */
  raised: readonly Attention[]
}

/** So many failed readings in a row need someone. */
export const FAULTS_LIMIT = 5
const PROCESSING_SECONDS = 30 * DAY_SECONDS

/** Returns everything for which a payment needs someone now. A reason that held before keeps its time. */
export function attentionOf(payment: Watched, before: readonly Attention[], now: Date): Attention[] {
  const codes = AttentionCode.options.filter((code) => holds(code, payment, foldOf(payment), now))
  const derived = codes.map(
    (code): Attention => before.find((each) => each.code === code) ?? { code, at: timestamp(now) },
  )
  return [...derived, ...payment.raised]
}

function holds(code: AttentionCode, payment: Watched, fold: Fold, now: Date): boolean {
  const { charges, refunds, disputes, astray } = fold
  const unasked = charges.filter((charge) => charge.state === 'unasked' && isKept(charge))
  switch (code) {
    case 'second_charge':
      return charges.some((charge) => charge.state === 'second' && isKept(charge))
    case 'wrong_sum':
      return unasked.some(({ money }) => money.currency === payment.currency)
    case 'wrong_currency':
      return unasked.some(({ money }) => money.currency !== payment.currency) || astray.ofOtherCurrency
    case 'unknown_charge':
      return astray.ofUnknownCharge
    case 'capture_failed':
      return isTakenBack(payment, fold)
    case 'refunded_and_charged_back':
      return charges.some(({ money, refunded, lost }) => lost > 0 && refunded + lost > money.amount)
    case 'refund_unresolved':
      return refunds.some((refund) => isUnresolved(refund, now))
    case 'over_refunded':
      return charges.some(({ money, refunded }) => refunded > money.amount) || astray.beyondCharge
    case 'dispute_due':
      return disputes.some(
        ({ state, respondBy }) => state === 'open' || (state === 'inquiry' && respondBy !== null),
      )
    case 'processing_too_long':
      return isProcessingTooLong(payment, now)
    case 'cannot_be_read':
      return payment.faults >= FAULTS_LIMIT
    // The other reasons are found outside the payment itself: `raised` has them.
    default:
      return false
  }
}

/** Whether something of a charge is neither given back nor disputed. */
const isKept = ({ money, refunded, disputed }: Charge): boolean => money.amount > refunded + disputed

/** Whether the money of a charge was taken back, and no other capture brought it again. */
const isTakenBack = ({ facts }: Watched, { charges }: Fold): boolean =>
  factsOf(facts, 'taken_back').some(
    ({ chargeId }) => !charges.some(({ id, state }) => id === chargeId && state !== 'taken_back'),
  )

/** Whether a person has to say what came of a refund. */
export const isUnresolved = ({ state, attempt }: Pick<Refund, 'state' | 'attempt'>, now: Date): boolean =>
  state === 'pending' && attempt !== null && needsResolution(attempt, now)

function isProcessingTooLong(payment: Watched, now: Date): boolean {
  const stated = latest(factsOf(payment.facts, 'processing'))
  if (!stated || statusOf(payment, now) !== 'PROCESSING') return false
  return secondsAfter(new Date(stated.at), PROCESSING_SECONDS) <= now
}
