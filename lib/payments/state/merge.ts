import { isDeepStrictEqual } from 'node:util'
import { Timestamp } from '#lib/kernel/clock'
import type { Money } from '#lib/kernel/money'
import { wasMadeBefore, withMiss } from './attempt.ts'
import { isAskedFor } from './charge.ts'
import { statedDisputes } from './dispute.ts'
import {
  boundedId,
  type Fact,
  factsOf,
  factsThatFit,
  latest,
  type Statement,
  type StatementOf,
  withoutWords,
} from './fact.ts'
import { fitsIn, foldOf } from './fold.ts'
import { type Payment, withAttempt, withFacts } from './payment.ts'
import { ownFactId } from './payment-status.ts'
import type { PaymentReading, Reading } from './reading.ts'
import { refundsOf } from './refund.ts'

/** Returns every statement of a reading. */
export const statementsOf = ({ charges, refunds, disputes, fees = [] }: PaymentReading): Statement[] => [
  ...charges,
  ...refunds,
  ...disputes,
  ...fees,
]

/** A provider's statement of a payment, from a callback or a reading. */
export type Stated =
  | { kind: 'statement'; eventId: string; statement: Statement; references: readonly string[]; at: Timestamp }
  | { kind: 'reading'; reading: Reading; references: readonly string[] }

/**
 * A payment with what was stated of it. Among the `mismatched` statements a charge of another sum or currency is kept
 * as UNASKED; any other is left out. `isComplete` is false where a reading has more facts than one transaction takes: the
 * reading is then merged again once the first facts are stored.
 */
export type Merged = { next: Payment; mismatched: Statement[]; isComplete: boolean }

/**
 * A fact is written with up to four more: its posting, its event, its entry in a statement and its refund. A transaction
 * holds a hundred writes, and what follows the payment, its request and its listing among them takes half of these.
 */
const FACTS_AT_ONCE = 10

/** Returns the payment with what its provider stated, by the provider's ids: what is known changes nothing. */
export function merge(payment: Payment, stated: Stated): Merged {
  if (stated.kind === 'statement') {
    const statement = datedBy(stated.statement, stated.at)
    const isWrong = mismatchOf(payment, statement) !== null
    const facts = isWrong && !isKept(statement) ? [] : [{ ...statement, id: stated.eventId }]
    // The references of a wrong statement may be another payment's.
    const next = withProviderFacts(payment, facts, isWrong ? [] : stated.references)
    return { next, mismatched: isWrong ? [statement] : [], isComplete: true }
  }
  const { reading, references } = stated
  const unknown = statementsOf(reading)
    .map((statement) => datedBy(statement, reading.askedAt, { isReading: true }))
    .filter((statement) => !isKnown(payment, statement) || hasNewDeadline(payment, statement))
  const mismatched = unknown.filter((statement) => mismatchOf(payment, statement) !== null)
  const kept = unknown.filter((statement) => !mismatched.includes(statement) || isKept(statement))
  const facts = factsThatFit(
    payment.facts,
    kept.map((statement): Fact => ({ ...statement, id: boundedId(`read:${identityOf(statement)}`) })),
  )
  const isComplete = facts.length <= FACTS_AT_ONCE
  const allReferences = [...reading.references, ...references]
  const next = withProviderFacts(payment, facts.slice(0, FACTS_AT_ONCE), allReferences)
  return { next: isComplete ? withMisses(next, reading) : next, mismatched, isComplete }
}

/** Whether a mismatched statement is kept as a charge that was not asked for. */
const isKept = (statement: Statement): boolean => statement.kind === 'succeeded' && statement.money !== null

const SECOND_LENGTH = 'yyyy-mm-ddThh:mm:ss'.length

/**
 * Dates a statement, at the latest by the time at which we received it. A dispute in a reading gets the time of the
 * reading, in whole seconds like the times of many callbacks.
 */
function datedBy(statement: Statement, received: Timestamp, { isReading = false } = {}): Statement {
  if (isReading && statement.kind === 'dispute') {
    return { ...statement, at: Timestamp.parse(`${received.slice(0, SECOND_LENGTH)}.000Z`) }
  }
  return { ...statement, at: statement.at < received ? statement.at : received }
}

/** Adds a provider's facts to a payment, and sets each refund attempt to the state that follows from them. */
export function withProviderFacts(
  payment: Payment,
  facts: readonly Fact[],
  references: readonly string[],
): Payment {
  const kept = payment.isPayerErased ? facts.map(withoutWords) : facts
  const stored = withFacts(payment, kept, references)
  let next = stored
  for (const { id, key, attempt, state } of refundsOf(stored)) {
    // The fact whose own id is `key` is our order; every other fact of the refund is its provider's.
    const isStated = stored.facts.some(
      (fact) => fact.kind === 'refund' && fact.id !== key && fact.refundId === key,
    )
    if (!id || !attempt || attempt.isResolved || !isStated) continue
    next = withAttempt(next, id, { ...attempt, state: ATTEMPT_STATES[state], isUnsent: false })
  }
  return next
}

const ATTEMPT_STATES = { pending: 'answered', succeeded: 'done', failed: 'failed' } as const

/**
 * Counts, for each refund attempt that has not ended, the readings without its refund. A reading that began before the
 * attempt was made does not count.
 */
function withMisses(payment: Payment, { refunds, askedAt }: Reading): Payment {
  let next = payment
  for (const { id, attempt, state, providerRefundId } of refundsOf(payment)) {
    if (!id || !attempt || state !== 'pending' || !wasMadeBefore(attempt, askedAt)) continue
    const isHeld = refunds.some(
      (refund) =>
        refund.refundId === id || (providerRefundId !== null && refund.providerRefundId === providerRefundId),
    )
    const counted = isHeld ? { ...attempt, misses: 0, missedAt: null } : withMiss(attempt, askedAt)
    next = withAttempt(next, id, counted)
  }
  return next
}

/** Whether a payment's facts state all that a statement does. The latest statement of a dispute or fee counts. */
export function isKnown(payment: Payment, statement: Statement): boolean {
  if (statement.kind === 'dispute') {
    const dispute = knownDispute(payment, statement)
    const isSameSum = statement.money == null || isDeepStrictEqual(statement.money, dispute?.money)
    return dispute?.state === statement.state && isSameSum
  }
  if (statement.kind === 'fee') {
    const fee = latest(factsOf(payment.facts, 'fee').filter(({ feeId }) => feeId === statement.feeId))
    return fee !== undefined && isDeepStrictEqual(fee.money, statement.money)
  }
  const identity = identityOf(statement)
  const own = (['cancelled', 'expired'] as const).map((kind) => ownFactId(kind, payment.id))
  // Our own cancellation or expiry is not the provider's statement of it, which may still come.
  return payment.facts.some((fact) => !own.includes(fact.id) && identityOf(fact) === identity)
}

const knownDispute = ({ facts }: Payment, { disputeId }: StatementOf<'dispute'>) =>
  statedDisputes(facts).find(({ id }) => id === disputeId)

/** Whether a statement of a dispute names another time to respond by than the payment's facts. */
function hasNewDeadline(payment: Payment, statement: Statement): boolean {
  if (statement.kind !== 'dispute' || statement.respondBy == null) return false
  return knownDispute(payment, statement)?.respondBy !== statement.respondBy
}

/**
 * Whether a claimed statement cannot change a payment: the payment's facts state it already, or its money has come, after
 * which no other statement of its status counts.
 */
export function changesNothing(payment: Payment, claimed: Statement): boolean {
  if (isKnown(payment, claimed)) return true
  const { charges, countingCharge } = foldOf(payment)
  if (claimed.kind === 'succeeded') {
    return charges.some(({ id, state }) => id !== null && id === claimed.chargeId && state !== 'taken_back')
  }
  return countingCharge !== undefined && WITHOUT_MONEY.includes(claimed.kind)
}

/** The statements that no longer matter once money has come. */
const WITHOUT_MONEY: readonly Statement['kind'][] = ['processing', 'failed', 'cancelled', 'expired']

/** Returns a text that two statements share if object, state and amounts are the same, and of disputes and fees the time. */
function identityOf(statement: Statement | Fact): string {
  const { kind } = statement
  switch (statement.kind) {
    case 'succeeded':
      return [kind, statement.chargeId, ...moneyOf(statement.money), statement.captureId ?? ''].join(':')
    case 'taken_back':
      return [kind, statement.chargeId, statement.captureId].join(':')
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
      return [kind, statement.feeId, ...moneyOf(statement.money), statement.at].join(':')
    default:
      return kind
  }
}

const tryOf = ({ tryId }: { tryId?: string | null | undefined }): string[] => (tryId ? [tryId] : [])

const moneyOf = (money: Money | null): unknown[] => [money?.amount, money?.currency]

/** Returns why a statement cannot be true of what this payment asked for; null when it can. */
export function mismatchOf(payment: Payment, statement: Statement): string | null {
  const { charges, countingCharge } = foldOf(payment)
  if (statement.kind === 'succeeded') {
    const { chargeId = null, money } = statement
    const isAccepted = charges.some(
      ({ id, state, money: known }) =>
        id === chargeId && isDeepStrictEqual(known, money) && (state === 'counts' || state === 'second'),
    )
    if (isAccepted || isAskedFor(payment, money)) return null
    return `${describe(money)} were paid, ${describe(payment)} were asked for`
  }
  if (statement.kind !== 'refund') return null
  const { chargeId = null, money } = statement
  const charge = chargeId === null ? countingCharge : charges.find(({ id }) => id === chargeId)
  // A refund of a charge that we do not know yet may be true.
  const isOfUnknownCharge = !charge && chargeId !== null
  const fits = isOfUnknownCharge || fitsIn(charge ?? { money: payment }, statement)
  if (money && fits) return null
  return `${describe(money)} were given back of ${describe(charge?.money ?? payment)}`
}

const describe = (money: Money | null): string =>
  money ? `${money.amount} minor units of ${money.currency}` : 'An amount in no currency we know'
