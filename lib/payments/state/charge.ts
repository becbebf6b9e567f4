import type { Timestamp } from '#lib/kernel/clock'
import type { Currency, Money } from '#lib/kernel/money'
import { type Fact, type FactOf, factsOf } from './fact.ts'

/** The sum that a payment asks for, and its facts. */
export type OrderedFacts = { amount: number; currency: Currency; facts: readonly Fact[] }

/**
 * Money that came for a payment. The first charge of the sum that was asked for, or that an administrator accepted,
 * `counts`; every further one is a `second`, which we owe. Any other sum is `unasked`. A charge whose money did not
 * come is `taken_back`.
 */
export type StatedCharge = {
  /** The provider's id; null where it names none. */
  id: string | null
  money: Money
  at: Timestamp
  state: 'counts' | 'second' | 'unasked' | 'taken_back'
}

type Success = FactOf<'succeeded'>
type SuccessWithMoney = Success & { money: Money }

/** Whether a sum is the requested one. */
export const isAskedFor = (
  { amount, currency }: Pick<OrderedFacts, 'amount' | 'currency'>,
  money: Money | null,
): boolean => money !== null && money.amount === amount && money.currency === currency

/**
 * Returns the charges of a payment by their providers' ids. Of two charges with the requested sum, the one that was
 * recorded first counts: the order of the facts decides nothing else.
 */
export function statedCharges(payment: OrderedFacts): StatedCharge[] {
  const takenBack = factsOf(payment.facts, 'taken_back')
  const isLive = (success: Success) => !takenBack.some((taken) => undoes(taken, success))
  const groups = byCharge(factsOf(payment.facts, 'succeeded').filter(hasMoney)).map((stated) => {
    const live = stated.filter(isLive)
    // A sum that was accepted stays accepted, also where another capture brings it again.
    const accepted = stated.filter((success) => success.accepted).map(({ money }) => sumOf(money))
    const isAsked = ({ money }: SuccessWithMoney) =>
      isAskedFor(payment, money) || accepted.includes(sumOf(money))
    // A charge of another sum is a success from its acceptance on: its place is that of the acceptance.
    const isSuccess = (success: SuccessWithMoney) =>
      isAskedFor(payment, success.money) || success.accepted === true
    return { stated, live, asked: live.find(isSuccess) ?? live.find(isAsked) }
  })
  const candidates = groups.flatMap((group) => group.asked ?? [])
  const placeOf = (success: Success) => payment.facts.indexOf(success)
  const [countingCharge] = candidates.toSorted((one, other) => placeOf(one) - placeOf(other))
  return groups.flatMap(({ stated, live, asked }) => {
    const shown = asked ?? live[0] ?? stated[0]
    if (!shown) return []
    const stateOfAsked = asked === countingCharge ? 'counts' : 'second'
    const stateOfOther = live.length > 0 ? 'unasked' : 'taken_back'
    const state = asked ? stateOfAsked : stateOfOther
    const earliestLiveAt = live.map((success) => success.at).sort()[0]
    const id = stated.find(({ chargeId }) => chargeId)?.chargeId ?? null
    return [{ id, money: shown.money, at: earliestLiveAt ?? shown.at, state }]
  })
}

const hasMoney = (success: Success): success is SuccessWithMoney => success.money !== null

/** Groups successes by charge. One without a charge id belongs to the first charge id with its sum, if there is one. */
function byCharge(successes: readonly SuccessWithMoney[]): SuccessWithMoney[][] {
  const idBySum = new Map<string, string>()
  for (const { chargeId, money } of successes) {
    const sum = sumOf(money)
    if (chargeId && !idBySum.has(sum)) idBySum.set(sum, chargeId)
  }
  const idOf = ({ chargeId, money }: SuccessWithMoney) => chargeId ?? idBySum.get(sumOf(money)) ?? null
  return [...Map.groupBy(successes, idOf).values()]
}

const sumOf = ({ amount, currency }: Money): string => `${amount} ${currency}`

/** Whether a `taken_back` undoes a success of its charge. A success with a `captureId` is undone by that capture only. */
const undoes = (taken: FactOf<'taken_back'>, { chargeId, captureId }: Success): boolean =>
  taken.chargeId === chargeId && (captureId == null || captureId === taken.captureId)
