import type { Timestamp } from '#lib/kernel/clock'
import type { Currency, Money } from '#lib/kernel/money'
import { type Fact, type FactOf, factsOf } from './fact.ts'

/** What the charges of a payment are made of. */
export type Asked = { amount: number; currency: Currency; facts: readonly Fact[] }

/** Money that came for a payment. */
export type Charge = {
  /** The provider's id; null where it names none: there is then no other. */
  id: string | null
  money: Money
  at: Timestamp
}

/** Whether a sum is the very one that was asked for. */
export const isAskedFor = (asked: Pick<Asked, 'amount' | 'currency'>, money: Money | null): boolean =>
  money !== null && money.amount === asked.amount && money.currency === asked.currency

/**
 * The charges of a payment, in the order in which they were recorded: the first is the payment's own, every further
 * one is money that we owe. Only a charge of the sum that was asked for counts, or one that an administrator accepted.
 * A success without an id is the first charge's, whatever that is called.
 */
export function chargesOf(payment: Asked): Charge[] {
  const matching = factsOf(payment.facts, 'succeeded').filter(
    ({ money, accepted }) => accepted || isAskedFor(payment, money),
  )
  const named = matching.filter(({ chargeId }) => chargeId != null)
  const groups = [...Map.groupBy(named, ({ chargeId }) => chargeId ?? '').values()]
  return (groups.length > 0 ? groups : [matching]).flatMap(toCharge)
}

function toCharge(said: FactOf<'succeeded'>[]): Charge[] {
  const [first] = said
  if (!first?.money) return []
  return [{ id: first.chargeId ?? null, money: first.money, at: first.at }]
}

/** Whether what names a charge (a refund, a dispute) is about one after the first. Other names mean the first. */
export const isOfFurtherCharge = (charges: readonly Charge[], chargeId: string | null | undefined): boolean =>
  chargeId != null && charges.slice(1).some(({ id }) => id === chargeId)

/** Whether what names a charge is about this one. */
export const isOf = (
  charge: Charge,
  charges: readonly Charge[],
  chargeId: string | null | undefined,
): boolean => (isOfFurtherCharge(charges, chargeId) ? charge.id === chargeId : charge === charges[0])
