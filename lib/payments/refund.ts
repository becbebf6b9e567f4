import type { Timestamp } from '#lib/kernel/clock'
import type { RefundId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
import { byTime, compare, type Fact, type FactOf, factsOf, latest } from './fact.ts'

/** One refund, from everything said of it. A failure is the last word: money given back may bounce. */
export type Refund = {
  /** Ours; null only while no statement of it was taken in. */
  id: RefundId | null
  money: Money | null
  state: RefundState
  reason: string | null
  startedAt: Timestamp
  at: Timestamp
}

type RefundState = FactOf<'refund'>['state']

/** From the least to the most conclusive. */
const STATES: readonly RefundState[] = ['pending', 'succeeded', 'failed']

/** The refunds that facts speak of, oldest first. One that we began and its notification are one. */
export function refundsOf(facts: readonly Fact[]): Refund[] {
  const stated = factsOf(facts, 'refund')
  const groups = Map.groupBy(stated, (fact) => refundKey(fact, stated))
  return [...groups.values()]
    .flatMap((group) => toRefund(group.toSorted(byTime)))
    .toSorted(
      (one, other) => compare(one.startedAt, other.startedAt) || compare(one.id ?? '', other.id ?? ''),
    )
}

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
    (refund) => mayBeIn(total, refund) && refund.at > total.at,
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

function toRefund(said: FactOf<'refund'>[]): Refund[] {
  const last = STATES.flatMap((state) => said.filter((fact) => fact.state === state)).at(-1)
  const [first] = said
  if (!first || !last) return []
  // Two of our ids for one refund come of a notification that overtook the answer to our own request: the id
  // of the request stands.
  const [earliest = null] = said.flatMap(({ refundId }) => refundId ?? []).toSorted(compare)
  const id = said.find((fact) => fact.id === fact.refundId)?.refundId ?? earliest
  const reason = said.find((fact) => fact.reason !== null)?.reason ?? null
  return [
    { id, money: last.money ?? first.money, state: last.state, reason, startedAt: first.at, at: last.at },
  ]
}

/** A refund goes by the provider's id; one of ours goes by that too as soon as any fact links the two. */
const refundKey = (fact: FactOf<'refund'>, all: FactOf<'refund'>[]): string =>
  fact.providerRefundId ?? providerIdOf(fact.refundId, all) ?? fact.refundId ?? fact.id

/**
 * The provider's id of a refund of ours: the one that its answer to our own request gave. Until that is known, the one
 * of a notification that was taken for it, unless the answer to another request of ours has that name.
 */
function providerIdOf(refundId: RefundId | null, all: FactOf<'refund'>[]): string | undefined {
  if (refundId === null) return undefined
  const said = all.filter((fact) => fact.refundId === refundId && fact.providerRefundId !== null)
  const answered = said.filter(isAnswer)
  const taken = new Set(all.filter(isAnswer).map(({ providerRefundId }) => providerRefundId))
  const free = said.filter(({ providerRefundId }) => !taken.has(providerRefundId))
  const names = (answered.length > 0 ? answered : free).flatMap(
    ({ providerRefundId }) => providerRefundId ?? [],
  )
  return names.toSorted(compare)[0]
}

/** The id of the fact that a provider's answer to our own request is. */
export const answerId = (refundId: string, state: RefundState): string => `${refundId}:${state}`

const isAnswer = ({ id, refundId, state }: FactOf<'refund'>): boolean =>
  refundId !== null && id === answerId(refundId, state)

const sum = (refunds: { money: Money | null }[]): number =>
  refunds.reduce((total, { money }) => total + (money?.amount ?? 0), 0)
