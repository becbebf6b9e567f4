import type { Money } from '#lib/kernel/money'
import { chargesOf, isAskedFor } from './charge.ts'
import { disputesOf } from './dispute.ts'
import { type Fact, type Statement, withoutWords } from './fact.ts'
import { factsThatFit } from './fact-room.ts'
import { type Payment, withAttempt, withFacts } from './payment.ts'
import type { PaymentReading } from './provider/provider.ts'
import { type Attempt, isBeingAsked } from './refunds/attempt.ts'
import { refundsOf } from './refunds/refund.ts'

/** Every statement of a reading. */
export const statementsOf = ({ charges, refunds, disputes, fees = [] }: PaymentReading): Statement[] => [
  ...charges,
  ...refunds,
  ...disputes,
  ...fees,
]

/**
 * The payment with everything that a reading says of it, merged by the provider's ids. What is known already changes
 * nothing; what cannot be true of this payment is left out and answered as `mismatched`. At most twenty facts are added at
 * once: where there are more, `isWhole` is false, and the same reading adds the next ones to the payment as stored.
 */
export function withReading(
  payment: Payment,
  reading: PaymentReading,
  now: Date,
): { next: Payment; mismatched: Statement[]; isWhole: boolean } {
  const statements = statementsOf(reading)
  const mismatched = statements.filter((statement) => mismatchOf(payment, statement) !== null)
  const unknown = statements
    .filter((statement) => !mismatched.includes(statement) && !isKnown(payment, statement))
    .map((statement): Fact => ({ ...statement, id: `read:${identityOf(statement)}` }))
  const facts = factsThatFit(payment.facts, unknown)
  const isWhole = facts.length <= FACTS_AT_ONCE
  const merged = withWords(payment, facts.slice(0, FACTS_AT_ONCE), reading.references)
  return { next: isWhole ? withMisses(merged, reading, now) : merged, mismatched, isWhole }
}

/** Each fact is written with its posting and its event, and a transaction holds a hundred writes. */
const FACTS_AT_ONCE = 20

/** The payment with facts of its provider's, and each attempt at a refund in the state that follows from them. */
export function withWords(payment: Payment, facts: readonly Fact[], references: readonly string[]): Payment {
  const kept = payment.isPayerErased ? facts.map(withoutWords) : facts
  const next = withFacts(payment, kept, references)
  return refundsOf(next).reduce((known, { id, key, attempt, state }) => {
    const isHeard = next.facts.some(
      (fact) => fact.kind === 'refund' && fact.id !== key && fact.refundId === key,
    )
    if (!id || !attempt || attempt.resolvedAfter !== null || !isHeard) return known
    return withAttempt(known, id, { ...attempt, state: ATTEMPT_STATES[state], isUnsent: false })
  }, next)
}

const ATTEMPT_STATES = { pending: 'answered', succeeded: 'done', failed: 'failed' } as const

/** Counts for each attempt without an end the readings that do not hold its refund. */
function withMisses(payment: Payment, { refunds }: PaymentReading, now: Date): Payment {
  return refundsOf(payment).reduce((known, { id, attempt, state, providerRefundId }) => {
    if (!id || !attempt || state !== 'pending' || isBeingAsked(attempt, now)) return known
    const isHeld = refunds.some(
      (refund) =>
        refund.refundId === id || (providerRefundId !== null && refund.providerRefundId === providerRefundId),
    )
    return withAttempt(known, id, isHeld ? { ...attempt, misses: 0 } : missed(attempt))
  }, payment)
}

const missed = (attempt: Attempt): Attempt => ({
  ...attempt,
  state: attempt.state === 'asking' ? 'unknown' : attempt.state,
  misses: attempt.misses + 1,
})

/** Whether a payment's facts say all that a statement says. Of a dispute only the latest word counts. */
export function isKnown(payment: Payment, statement: Statement): boolean {
  if (statement.kind === 'dispute') {
    const dispute = disputesOf(payment).find(({ id }) => id === statement.disputeId)
    const isSameSum = statement.money == null || statement.money.amount === dispute?.amount
    return dispute?.state === statement.state && isSameSum
  }
  const identity = identityOf(statement)
  return payment.facts.some((fact) => identityOf(fact) === identity)
}

/**
 * Whether a claim can change nothing, be it true or not: all of it is known, or the money it speaks of has come, so that
 * no other word about how the payment stands counts.
 */
export function isSettled(payment: Payment, claimed: Statement): boolean {
  if (isKnown(payment, claimed)) return true
  const charges = chargesOf(payment)
  if (claimed.kind === 'succeeded') return charges.some(({ id }) => id !== null && id === claimed.chargeId)
  return charges.length > 0 && STANDING.includes(claimed.kind)
}

const STANDING: readonly Statement['kind'][] = ['processing', 'failed', 'cancelled', 'expired']

/** What makes two statements one: the object, its state and its amounts, never the time or the wording. */
function identityOf(statement: Statement): string {
  const { kind } = statement
  switch (statement.kind) {
    case 'succeeded':
      return [kind, statement.chargeId, ...moneyOf(statement.money)].join(':')
    case 'failed':
      return [kind, statement.final, statement.code, ...tryOf(statement)].join(':')
    case 'processing':
      return [kind, ...tryOf(statement)].join(':')
    case 'refund':
      return [
        kind,
        statement.providerRefundId,
        statement.refundId,
        statement.state,
        ...moneyOf(statement.money),
      ].join(':')
    case 'dispute':
      return [kind, statement.disputeId, statement.state, statement.at].join(':')
    case 'fee':
      return [kind, statement.feeId].join(':')
    default:
      return kind
  }
}

const tryOf = ({ tryId }: { tryId?: string | null | undefined }): string[] => (tryId ? [tryId] : [])

const moneyOf = (money: Money | null): unknown[] => [money?.amount, money?.currency]

/** Why a statement cannot be true of this payment; null when it can. */
export function mismatchOf(payment: Payment, statement: Statement): string | null {
  if (statement.kind === 'succeeded') {
    const { chargeId, money } = statement
    const isAccepted = payment.facts.some(
      (fact) => fact.kind === 'succeeded' && fact.accepted && fact.chargeId === chargeId,
    )
    if (isAccepted || isAskedFor(payment, money)) return null
    return `${wordsOf(money)} were paid, ${wordsOf(payment)} were asked for`
  }
  if (statement.kind !== 'refund') return null
  const most = Math.max(payment.amount, ...chargesOf(payment).map(({ money }) => money.amount))
  const { money } = statement
  if (money && money.currency === payment.currency && money.amount <= most) return null
  return `${wordsOf(statement.money)} were given back of ${wordsOf(payment)}`
}

const wordsOf = (money: Money | null): string =>
  money ? `${money.amount} minor units of ${money.currency}` : 'An amount in no currency we know'
