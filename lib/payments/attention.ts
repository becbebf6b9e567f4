import * as z from 'zod'
import { secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { disputesOf } from './dispute.ts'
import { factsOf, latest } from './fact.ts'
import { accountsOf, type Known, statusOf } from './payment-status.ts'
import { needsResolution } from './refunds/attempt.ts'
import { refundsOf } from './refunds/refund.ts'

/** Why a payment needs someone. */
export const AttentionCode = z
  .enum([
    'second_charge',
    'wrong_sum',
    'refund_unresolved',
    'over_refunded',
    'dispute_due',
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

/** What the reasons follow from. */
export type Watched = Known & {
  /** Readings in a row that failed. */
  faults: number
  /** The notifications of sums that were not asked for and that nobody has decided on. */
  wrongSums: readonly string[]
  /** Reasons that were found outside the payment itself. */
  raised: readonly Attention[]
}

const FAULTS_LIMIT = 5
const PROCESSING_SECONDS = 30 * 24 * 60 * 60

/** Everything for which a payment needs someone now. A reason that held before keeps its time. */
export function attentionOf(payment: Watched, before: readonly Attention[], now: Date): Attention[] {
  const codes = AttentionCode.options.filter((code) => holds(code, payment, now))
  const derived = codes.map(
    (code): Attention => before.find((each) => each.code === code) ?? { code, at: timestamp(now) },
  )
  return [...derived, ...payment.raised]
}

function holds(code: AttentionCode, payment: Watched, now: Date): boolean {
  switch (code) {
    case 'second_charge':
      return accountsOf(payment)
        .slice(1)
        .some(({ charge, refunded, disputed }) => charge.money.amount > refunded + disputed)
    case 'wrong_sum':
      return payment.wrongSums.length > 0
    case 'refund_unresolved':
      return refundsOf(payment).some((refund) => isUnresolved(refund, now))
    case 'over_refunded':
      return accountsOf(payment).some(({ charge, refunded }) => refunded > charge.money.amount)
    case 'dispute_due':
      return disputesOf(payment).some(
        ({ state, respondBy }) => state === 'open' || (state === 'inquiry' && respondBy !== null),
      )
    case 'processing_too_long':
      return isProcessingTooLong(payment, now)
    case 'cannot_be_read':
      return payment.faults >= FAULTS_LIMIT
    default:
      return false
  }
}

/** Whether a person has to say what came of a refund. */
export const isUnresolved = ({ state, attempt }: ReturnType<typeof refundsOf>[number], now: Date): boolean =>
  state === 'pending' && attempt !== null && needsResolution(attempt, now)

function isProcessingTooLong(payment: Watched, now: Date): boolean {
  const word = latest(factsOf(payment.facts, 'processing'))
  if (!word || statusOf(payment, now) !== 'PROCESSING') return false
  return secondsAfter(new Date(word.at), PROCESSING_SECONDS) <= now
}
