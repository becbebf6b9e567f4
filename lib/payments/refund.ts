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
  const named = sum(refunds.filter(({ state }) => state === 'succeeded'))
  const total = latest(factsOf(facts, 'refunded_total'), ({ money }) => money?.amount ?? 0)
  if (!total) return named
  const failedSince = refunds.filter(
    ({ state, startedAt, at }) => state === 'failed' && startedAt <= total.at && at > total.at,
  )
  return Math.max(named, (total.money?.amount ?? 0) - sum(failedSince))
}

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
function refundKey(fact: FactOf<'refund'>, all: FactOf<'refund'>[]): string {
  if (fact.providerRefundId !== null) return fact.providerRefundId
  const same = all.filter(({ refundId }) => refundId !== null && refundId === fact.refundId)
  const [linked] = same.flatMap(({ providerRefundId }) => providerRefundId ?? []).toSorted(compare)
  return linked ?? fact.refundId ?? fact.id
}

const sum = (refunds: { money: Money | null }[]): number =>
  refunds.reduce((total, { money }) => total + (money?.amount ?? 0), 0)
