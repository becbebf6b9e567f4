import type { Timestamp } from '#lib/kernel/clock'
import { derivedId, type PaymentId, type RefundId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
import type { Attempt } from './attempt.ts'
import { byTime, compare, type Fact, type FactOf, factsOf, latest } from './fact.ts'

/** One refund, from all facts about it. A failure outranks a success: refunded money may bounce. */
export type Refund = {
  /** Our id; null for a refund that was made at the provider. */
  id: RefundId | null
  /** Its id among the payment's refunds: ours, else the provider's, else that of the only fact. */
  key: string
  providerRefundId: string | null
  money: Money | null
  state: FactOf<'refund'>['state']
  /** Whether the refund has succeeded, even if it failed afterwards. */
  hasSucceeded: boolean
  chargeId: string | null
  reason: string | null
  startedAt: Timestamp
  /** The time of the statement that decides its state. */
  at: Timestamp
  attempt: Attempt | null
}

export type RefundFacts = { facts: readonly Fact[]; attempts: Readonly<Record<string, Attempt>> }

type RefundFact = FactOf<'refund'>

/** From the least to the most conclusive. */
const STATES: readonly RefundFact['state'][] = ['pending', 'succeeded', 'failed']

/**
 * Returns the refunds of a payment, oldest first. An order of ours and a statement of its provider are one refund where
 * the provider's id is the same.
 */
export function refundsOf({ facts, attempts }: RefundFacts): Refund[] {
  return [...Map.groupBy(factsOf(facts, 'refund'), refundKeys(facts))]
    .flatMap(([key, group]) => toRefund(key, group, facts, attempts[key]))
    .toSorted((one, other) => compare(one.startedAt, other.startedAt) || compare(one.key, other.key))
}

/**
 * Returns the key of the refund that a fact is about. A fact that names both ids joins them. A refund of ours has
 * one id at the provider. A second id is that of a separate refund, made by an attempt that seemed to have failed.
 */
export function refundKeys(facts: readonly Fact[]): (fact: RefundFact) => string {
  const ourIdByTheirs = new Map<string, string>()
  const joinedIds = new Set<string>()
  for (const { refundId, providerRefundId } of factsOf(facts, 'refund').toSorted(byTime)) {
    if (refundId === null || providerRefundId === null) continue
    if (joinedIds.has(refundId) || ourIdByTheirs.has(providerRefundId)) continue
    ourIdByTheirs.set(providerRefundId, refundId)
    joinedIds.add(refundId)
  }
  return ({ refundId, providerRefundId, id }) => {
    if (providerRefundId === null) return refundId ?? id
    return ourIdByTheirs.get(providerRefundId) ?? providerRefundId
  }
}

function toRefund(key: string, group: RefundFact[], facts: readonly Fact[], attempt?: Attempt): Refund[] {
  const all = group.toSorted(byTime)
  // The fact of our own order, which has the refund's id; or the only fact, where the provider names no id.
  const opening = all.find(({ id }) => id === key)
  const stated = all.filter((fact) => fact !== opening)
  // The latest statement of the most conclusive state.
  const decisive = STATES.flatMap((state) => stated.filter((fact) => fact.state === state)).at(-1)
  const first = opening ?? all[0]
  if (!first) return []
  const resolved = resolutionOf(key, stated, facts)
  const state = resolved ?? decisive?.state ?? first.state
  return [
    {
      id: all.find(({ refundId }) => refundId === key)?.refundId ?? null,
      key,
      providerRefundId: stated.find(({ providerRefundId }) => providerRefundId)?.providerRefundId ?? null,
      money: decisive?.money ?? first.money,
      state,
      hasSucceeded: state === 'succeeded' || stated.some((fact) => fact.state === 'succeeded'),
      chargeId: all.find(({ chargeId }) => chargeId != null)?.chargeId ?? null,
      reason: all.find(({ reason }) => reason !== null)?.reason ?? null,
      startedAt: first.at,
      at: decisive?.at ?? first.at,
      attempt: attempt ?? null,
    },
  ]
}

/** Returns how an administrator has resolved a refund, unless its provider has stated something of it since. */
function resolutionOf(key: string, stated: RefundFact[], facts: readonly Fact[]) {
  const resolution = latest(factsOf(facts, 'resolution').filter(({ refundId }) => refundId === key))
  if (!resolution) return undefined
  const isStatedSince = stated.some(({ id }) => !resolution.overrules.includes(id))
  return isStatedSince ? undefined : resolution.outcome
}

/** Returns the id by which a refund is shown: ours or, for one made at the provider, an id derived from its key. */
export const shownId = (paymentId: PaymentId, { id, key }: Refund): RefundId =>
  id ?? derivedId('refund', paymentId, [paymentId, key])

/** Adds up refunds in minor units. */
export const sumOf = (refunds: readonly Pick<Refund, 'money'>[]): number =>
  refunds.reduce((total, { money }) => total + (money?.amount ?? 0), 0)
