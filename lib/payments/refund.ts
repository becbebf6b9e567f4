import type { Timestamp } from '#lib/kernel/clock'
import { derivedId, type PaymentId, type RefundId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
import { byTime, compare, type Fact, type FactOf, factsOf, latest } from './fact.ts'

/** One refund, from everything said of it. A failure is the last word: money given back may bounce. */
export type Refund = {
  /** Ours; null for one that was made at the provider. */
  id: RefundId | null
  /** What tells it from the payment's other refunds: our id, else the provider's, else that of the only fact. */
  key: string
  money: Money | null
  state: RefundState
  reason: string | null
  /** Whether its provider has ever had it: one that was refused at once was never in a total of its. */
  isMade: boolean
  startedAt: Timestamp
  at: Timestamp
}

type RefundFact = FactOf<'refund'>
type RefundState = RefundFact['state']

/** From the least to the most conclusive. */
const STATES: readonly RefundState[] = ['pending', 'succeeded', 'failed']

/** Whether a state of a refund says less of its end than another. */
export const isBehind = (state: RefundState, other: RefundState): boolean =>
  STATES.indexOf(state) < STATES.indexOf(other)

/** The refunds that facts speak of, oldest first. One that we began and its notification are one. */
export function refundsOf(facts: readonly Fact[]): Refund[] {
  const keyOf = refundKeys(facts)
  return [...Map.groupBy(factsOf(facts, 'refund'), keyOf)]
    .flatMap(([key, said]) => toRefund(key, said.toSorted(byTime)))
    .toSorted((one, other) => compare(one.startedAt, other.startedAt) || compare(one.key, other.key))
}

function toRefund(key: string, said: RefundFact[]): Refund[] {
  const last = STATES.flatMap((state) => said.filter((fact) => fact.state === state)).at(-1)
  const [first] = said
  if (!first || !last) return []
  const id = said.find(({ refundId }) => refundId === key)?.refundId ?? null
  const reason = said.find((fact) => fact.reason !== null)?.reason ?? null
  const isMade = said.some(
    (fact) => fact.providerRefundId !== null || (fact.id !== id && fact.state !== 'failed'),
  )
  const money = last.money ?? first.money
  const startedAt = (said.find((fact) => fact.id === key) ?? first).at
  return [{ id, key, money, state: last.state, reason, isMade, startedAt, at: last.at }]
}

/**
 * Says which refund each of these facts is about. Ours goes by our own id, and so does what speaks of it by the name
 * that the provider gave it. What speaks of a refund by a name that we have not learnt is taken for the one of ours
 * that may have it: of the same sum, begun before, not failed, and without a name. All this follows from the set of
 * facts: once a name is learnt, or ours has failed, the two go apart again.
 */
export function refundKeys(facts: readonly Fact[]): (fact: RefundFact) => string {
  const stated = factsOf(facts, 'refund').toSorted(byTime)
  const ours = Map.groupBy(
    stated.filter(({ refundId }) => refundId !== null),
    ({ refundId }) => refundId ?? '',
  )
  const owners = new Map<string, string>()
  for (const [id, said] of ours) {
    for (const { providerRefundId: name } of said)
      if (name !== null && !owners.has(name)) owners.set(name, id)
  }
  const nameless = [...ours]
    .filter(([, said]) => said.every((fact) => fact.providerRefundId === null && fact.state !== 'failed'))
    .toSorted(([, one], [, other]) => progressOf(one) - progressOf(other))
  const strangers = stated.filter((fact) => fact.refundId === null && !owners.has(nameOf(fact)))
  for (const [name, [first]] of Map.groupBy(strangers, nameOf)) {
    const place = nameless.findIndex(([, [begun]]) => first && begun && mayBeOne(begun, first))
    for (const [id] of place < 0 ? [] : nameless.splice(place, 1)) owners.set(name, id)
  }
  return (fact) => fact.refundId ?? owners.get(nameOf(fact)) ?? nameOf(fact)
}

const nameOf = ({ providerRefundId, id }: RefundFact): string => providerRefundId ?? id

const progressOf = (said: readonly RefundFact[]): number =>
  Math.max(...said.map(({ state }) => STATES.indexOf(state)))

/** How far a provider's clock may be behind ours. */
const CLOCK_SLACK_MILLISECONDS = 5 * 60_000

const mayBeOne = (begun: RefundFact, told: RefundFact): boolean =>
  begun.money?.amount === told.money?.amount &&
  begun.money?.currency === told.money?.currency &&
  Date.parse(told.at) >= Date.parse(begun.at) - CLOCK_SLACK_MILLISECONDS

/** The id by which a refund is shown that was made at the provider: always the same for the same one. */
export const shownId = (paymentId: PaymentId, { id, key }: Refund): RefundId =>
  id ?? derivedId('refund', paymentId, [paymentId, key])

/**
 * How much the facts say was given back, in minor units. Refunds known one by one are summed. A provider's
 * running total stands for those it does not name, less what failed after it was counted.
 */
export function refundedBy(facts: readonly Fact[]): number {
  const refunds = refundsOf(facts)
  const named = sum(inState(refunds, 'succeeded'))
  const total = latestTotal(facts)
  if (!total) return named
  const failedSince = inState(refunds, 'failed').filter(
    (refund) => refund.isMade && mayBeIn(total, refund) && refund.at > total.at,
  )
  return Math.max(named, (total.money?.amount ?? 0) - sum(failedSince))
}

/**
 * How much is on its way back that `refundedBy` does not hold yet, in minor units. What a running total holds beyond
 * the refunds that have a name is taken for those that were pending when it was counted.
 */
export function pendingBeside(facts: readonly Fact[]): number {
  const refunds = refundsOf(facts)
  const pending = inState(refunds, 'pending')
  const total = latestTotal(facts)
  const counted = total ? sum(pending.filter((refund) => mayBeIn(total, refund))) : 0
  const nameless = refundedBy(facts) - sum(inState(refunds, 'succeeded'))
  return sum(pending) - Math.min(counted, nameless)
}

type Total = FactOf<'refunded_total'>

const latestTotal = (facts: readonly Fact[]): Total | undefined =>
  latest(factsOf(facts, 'refunded_total'), ({ money }) => money?.amount ?? 0)

/** Whether a refund had begun when a total was counted. Providers tell the time of a total in whole seconds. */
const mayBeIn = (total: Total, { startedAt }: Refund): boolean => secondOf(startedAt) <= secondOf(total.at)

const secondOf = (at: Timestamp): string => at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)

const inState = (refunds: readonly Refund[], state: RefundState): Refund[] =>
  refunds.filter((refund) => refund.state === state)

const sum = (refunds: { money: Money | null }[]): number =>
  refunds.reduce((total, { money }) => total + (money?.amount ?? 0), 0)
