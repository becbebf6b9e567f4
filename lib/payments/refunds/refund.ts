import { secondsAfter, type Timestamp } from '#lib/kernel/clock'
import { derivedId, type PaymentId, type RefundId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
import { byTime, compare, type Fact, type FactOf, factsOf, latest } from '#lib/payments/fact'

/** One refund, from everything said of it. A failure is the last word: money given back may bounce. */
export type Refund = {
  /** Ours; null for one that was made at the provider. */
  id: RefundId | null
  /** What tells it from the payment's other refunds: our id, else the provider's, else that of the only fact. */
  key: string
  money: Money | null
  state: RefundState
  /** The same without what was only taken for it: whether a provider need not be asked must not rest on that. */
  sureState: RefundState
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
  const aboutOf = attribution(facts)
  const said = factsOf(facts, 'refund').toSorted(byTime)
  return [...Map.groupBy(said, (fact) => aboutOf(fact).key)]
    .flatMap(([key, group]) => toRefund(key, group, (fact) => !aboutOf(fact).isGuess))
    .toSorted((one, other) => compare(one.startedAt, other.startedAt) || compare(one.key, other.key))
}

function toRefund(key: string, said: RefundFact[], isSure: (fact: RefundFact) => boolean): Refund[] {
  const last = lastWord(said)
  const first = said.find((fact) => fact.id === key) ?? said[0]
  if (!first || !last) return []
  return [
    {
      id: said.find(({ refundId }) => refundId === key)?.refundId ?? null,
      key,
      money: last.money ?? first.money,
      state: last.state,
      sureState: lastWord(said.filter(isSure))?.state ?? last.state,
      reason: said.find((fact) => fact.reason !== null)?.reason ?? null,
      isMade: said.some((fact) => wasTaken(fact, key)),
      startedAt: first.at,
      at: last.at,
    },
  ]
}

const lastWord = (said: readonly RefundFact[]): RefundFact | undefined =>
  STATES.flatMap((state) => said.filter((fact) => fact.state === state)).at(-1)

/** Whether a fact says that the provider had the refund, beyond that it was begun, or refused at once. */
const wasTaken = ({ id, providerRefundId, state }: RefundFact, key: string): boolean =>
  providerRefundId !== null || (id !== key && state !== 'failed')

/** Which refund a fact is about, and whether that is only likely. */
type About = { key: string; isGuess: boolean }

/**
 * Says which refund each of these facts is about. Ours goes by our own id, and so does what speaks of it by the name
 * that the provider gave it. What speaks of a refund by a name that we have not learnt is taken for the one of ours
 * that may have it: of the same sum, without a name, begun before; first of all for one that ended in the same way,
 * else for one that was not over by then. All this follows from the set of facts: once a name is learnt, the two go
 * apart again.
 */
export function attribution(facts: readonly Fact[]): (fact: RefundFact) => About {
  const stated = factsOf(facts, 'refund').toSorted(byTime)
  const ours = Map.groupBy(
    stated.filter(({ refundId }) => refundId !== null),
    ({ refundId }) => refundId ?? '',
  )
  const owners = new Map<string, About>()
  for (const [key, said] of ours) {
    for (const { providerRefundId: name } of said)
      if (name !== null && !owners.has(name)) owners.set(name, { key, isGuess: false })
  }
  const strangers = stated.filter((fact) => fact.refundId === null && !owners.has(nameOf(fact)))
  const nameless = [...ours].flatMap(([key, said]) => namelessOf(key, said))
  for (const [name, key] of likely(nameless, Map.groupBy(strangers, nameOf)))
    owners.set(name, { key, isGuess: true })
  return (fact) => {
    const own = { key: fact.refundId ?? nameOf(fact), isGuess: false }
    return fact.refundId === null ? (owners.get(nameOf(fact)) ?? own) : own
  }
}

const nameOf = ({ providerRefundId, id }: RefundFact): string => providerRefundId ?? id

/** Pairs names that we have not learnt with those of ours that they may be of, each with one. */
function likely(nameless: Nameless[], told: ReadonlyMap<string, RefundFact[]>): Map<string, string> {
  const free = [...nameless]
  const pairs = new Map<string, string>()
  for (const isLike of [endedAlike, isInTime]) {
    for (const [name, said] of [...told].filter(([name]) => !pairs.has(name))) {
      const place = free.findIndex((one) => mayBeOne(one, said) && isLike(one, said))
      for (const { key } of free.splice(place, place < 0 ? 0 : 1)) pairs.set(name, key)
    }
  }
  return pairs
}

/** One of ours that the provider may know by a name we have not learnt. */
type Nameless = { key: string; sum: string; from: string; until: string; state: RefundState }

/** None for one with a name, or that was refused at once: that has nothing to be told of. */
function namelessOf(key: string, said: RefundFact[]): Nameless[] {
  const [begun] = said
  const failed = said.find(({ state }) => state === 'failed')
  const isRefused = failed && !said.some((fact) => wasTaken(fact, key))
  if (!begun || isRefused || said.some(({ providerRefundId }) => providerRefundId !== null)) return []
  const until = failed ? secondOf(failed.at) : '~'
  const state = lastWord(said)?.state ?? 'pending'
  return [{ key, sum: sumOf(begun), from: secondOf(begun.at), until, state }]
}

const mayBeOne = ({ sum, from }: Nameless, [first]: readonly RefundFact[]): boolean =>
  first !== undefined && sum === sumOf(first) && from <= secondOf(first.at)

/** However late its end is told: we may have asked, and heard of it before. */
const endedAlike = ({ state }: Nameless, told: readonly RefundFact[]): boolean =>
  state !== 'pending' && state === lastWord(told)?.state

const isInTime = ({ until }: Nameless, [first]: readonly RefundFact[]): boolean =>
  first !== undefined && secondOf(first.at) <= until

const sumOf = ({ money }: RefundFact): string => `${money?.amount} ${money?.currency}`

/** Some providers forget an idempotency key after 24 hours; what was sent under it is then made anew. */
const KEY_LIFETIME_SECONDS = 20 * 60 * 60

/** Whether every provider still knows the key of a refund that was begun then. */
export const isKeyKept = (begunAt: Timestamp, now: Date): boolean =>
  now < secondsAfter(new Date(begunAt), KEY_LIFETIME_SECONDS)

/** The id by which a refund is shown that was made at the provider: always the same for the same one. */
export const shownId = (paymentId: PaymentId, { id, key }: Refund): RefundId =>
  id ?? derivedId('refund', paymentId, [paymentId, key])

/**
 * How much the facts say was given back, in minor units. Refunds known one by one are summed. A provider's
 * running total stands for those it does not name, less what failed after it was counted, and beside what we gave back
 * since.
 */
export function refundedBy(facts: readonly Fact[]): number {
  const refunds = refundsOf(facts)
  const named = sum(inState(refunds, 'succeeded'))
  const total = latestTotal(facts)
  if (!total) return named
  const failedSince = inState(refunds, 'failed').filter(
    // Most likely it was still in a total of the very second in which it failed.
    (refund) => refund.isMade && mayBeIn(total, refund) && refund.at >= total.at,
  )
  const begunSince = inState(refunds, 'succeeded').filter((refund) => isBeyond(total, refund))
  return Math.max(named, (total.money?.amount ?? 0) - sum(failedSince) + sum(begunSince))
}

/** How far a provider's clock may be behind ours. */
const CLOCK_SLACK_MILLISECONDS = 60_000

/** Whether a refund of ours cannot be in a total: that was counted well before it was begun. */
const isBeyond = (total: Total, { id, startedAt }: Refund): boolean =>
  id !== null && Date.parse(startedAt) > Date.parse(total.at) + CLOCK_SLACK_MILLISECONDS

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

/** Whether a refund had begun when a total was counted. */
const mayBeIn = (total: Total, { startedAt }: Refund): boolean => secondOf(startedAt) <= secondOf(total.at)

/** Providers tell the time in whole seconds, which may be earlier than ours of the same moment. */
const secondOf = (at: Timestamp): string => at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)

const inState = (refunds: readonly Refund[], state: RefundState): Refund[] =>
  refunds.filter((refund) => refund.state === state)

const sum = (refunds: { money: Money | null }[]): number =>
  refunds.reduce((total, { money }) => total + (money?.amount ?? 0), 0)
