import type { Money } from '#lib/kernel/money'
import { type OrderedFacts, type StatedCharge, statedCharges } from './charge.ts'
import { type StatedDispute, statedDisputes, takesMoney } from './dispute.ts'
import { type FactOf, factsOf, latest } from './fact.ts'
import { type Refund, type RefundFacts, refundsOf, sumOf } from './refund.ts'

/** A dispute with the sum that it takes of its charge, in minor units of the charge's currency. */
type Dispute = StatedDispute & { amount: number }

/** A charge with what was taken from it, in minor units of its currency. */
export type Charge = StatedCharge & {
  refunds: Refund[]
  disputes: Dispute[]
  /** The sum of its successful refunds, without a limit. */
  refunded: number
  /** The sum of its pending refunds. */
  pending: number
  /** The sum of its open and lost disputes. */
  disputed: number
  /** The sum of its lost disputes. */
  lost: number
  /** The sum that can still be refunded. */
  left: number
  fee: Money | null
}

/** The money of a payment, computed from its facts in any order. */
export type Fold = {
  charges: Charge[]
  /** The charge that counts; undefined until one does. */
  countingCharge: Charge | undefined
  refunds: Refund[]
  disputes: Dispute[]
  /** Which refunds and disputes take money but count in no charge. `beyondCharge`: a refund of more than its charge. */
  astray: { ofUnknownCharge: boolean; ofOtherCurrency: boolean; beyondCharge: boolean }
  /** The sum of `countingCharge`, else 0. */
  amountPaid: number
  /** Its refunded sum, at most `amountPaid`. */
  amountRefunded: number
  /** Its disputed sum, at most the part that was not refunded. */
  amountDisputed: number
}

type Folded = OrderedFacts & RefundFacts

const folds = new WeakMap<Folded['facts'], { attempts: Folded['attempts']; fold: Fold }>()

/** Returns what a payment's facts come to, computed once for each set of them. */
export function foldOf(payment: Folded): Fold {
  const { facts, attempts } = payment
  const known = folds.get(facts)
  if (known?.attempts === attempts) return known.fold
  const fold = compute(payment)
  folds.set(facts, { attempts, fold })
  return fold
}

/** Whether the charge that counts has money left that neither a refund nor a lost dispute took. */
export function hasMoney(payment: Folded): boolean {
  const { countingCharge } = foldOf(payment)
  return (
    countingCharge !== undefined &&
    countingCharge.money.amount > countingCharge.refunded + countingCharge.lost
  )
}

function compute(payment: Folded): Fold {
  const stated = statedCharges(payment)
  const findCharge = chargeFinderIn(stated)
  const refunds = refundsOf(payment)
  const fees = feesOf(payment)
  const allDisputes = statedDisputes(payment.facts)
  const charges = stated.map((charge): Charge => {
    const isOfThis = (of: { chargeId?: string | null | undefined }) => findCharge(of.chargeId) === charge
    const inCurrency = (money: Money | null) => money === null || money.currency === charge.money.currency
    const ownRefunds = refunds.filter((refund) => isOfThis(refund) && fitsIn(charge, refund))
    const refunded = sumOf(ownRefunds.filter(({ state }) => state === 'succeeded'))
    const pending = sumOf(ownRefunds.filter(({ state }) => state === 'pending'))
    const ownDisputes = allDisputes.filter((dispute) => isOfThis(dispute) && inCurrency(dispute.money))
    const disputes = disputesOf(charge, ownDisputes, refunded + pending)
    const taking = disputes.filter(takesMoney)
    const disputed = total(taking)
    return {
      ...charge,
      refunds: ownRefunds,
      disputes,
      refunded,
      pending,
      disputed,
      lost: total(taking.filter(({ state }) => state === 'lost')),
      left: Math.max(0, charge.money.amount - refunded - pending - disputed),
      fee: feeOf(fees.filter(isOfThis)),
    }
  })
  const countingCharge = charges.find(({ state }) => state === 'counts')
  const amountPaid = countingCharge?.money.amount ?? 0
  const amountRefunded = Math.min(countingCharge?.refunded ?? 0, amountPaid)
  const placed = charges.flatMap((charge) => charge.disputes)
  // A dispute under its charge's id has no id of its own: a named dispute of that charge stands for it.
  const isMerged = (id: string) => allDisputes.some((each) => each.id !== id && each.chargeId === id)
  return {
    charges,
    countingCharge,
    refunds,
    // A dispute that stands in no charge is shown with the sum that its provider named.
    disputes: allDisputes.flatMap((dispute) => {
      const known = placed.find(({ id }) => id === dispute.id)
      if (known) return [known]
      return isMerged(dispute.id) ? [] : [{ ...dispute, amount: dispute.money?.amount ?? 0 }]
    }),
    astray: astrayOf(findCharge, refunds, allDisputes),
    amountPaid,
    amountRefunded,
    amountDisputed: Math.min(countingCharge?.disputed ?? 0, amountPaid - amountRefunded),
  }
}

type FindCharge = (chargeId: string | null | undefined) => StatedCharge | 'unknown' | undefined

/** Returns a function that finds a charge by its id; without an id, the charge that counts, or undefined. */
const chargeFinderIn =
  (charges: readonly StatedCharge[]): FindCharge =>
  (chargeId) => {
    if (chargeId == null) return charges.find(({ state }) => state === 'counts')
    // If a success named no charge, a later charge id is that charge's.
    return charges.find(({ id }) => id === chargeId) ?? charges.find(({ id }) => id === null) ?? 'unknown'
  }

/** Whether a refund can be of a charge. One of another currency, or of more than the charge, counts nowhere. */
export const fitsIn = ({ money: whole }: Pick<StatedCharge, 'money'>, { money }: Pick<Refund, 'money'>) =>
  money !== null && money.currency === whole.currency && money.amount <= whole.amount

/**
 * Returns the disputes of a charge with the sums that they take. One without a sum takes what refunds and the others
 * leave. A dispute with its charge's id has no id of its own. Its provider does not say for which dispute it took money
 * back (a reversal), or has not named it yet (a mediation). A named dispute of the charge is the same one, and its
 * money counts once. A named inquiry is not: it takes no money.
 */
function disputesOf(
  { money, id }: StatedCharge,
  stated: readonly StatedDispute[],
  givenBack: number,
): Dispute[] {
  const unnamed = stated.find((each) => each.id === id)
  const named = stated.filter((each) => each.id !== id)
  const placed: Dispute[] = []
  const taken = () => total(placed.filter(takesMoney))
  // The part of the charge that neither refunds nor the disputes placed so far take.
  const rest = () => Math.max(0, money.amount - givenBack - taken())
  for (const dispute of named) if (dispute.money) placed.push({ ...dispute, amount: dispute.money.amount })
  for (const dispute of named) if (!dispute.money) placed.push({ ...dispute, amount: rest() })
  const hasNamedClaim = named.some(({ state }) => state !== 'inquiry')
  // The named dispute stands for an open one without an id of its own.
  if (unnamed && !(hasNamedClaim && unnamed.state === 'open')) {
    // Its sum includes what the named disputes take: only the difference is counted here.
    const amount = unnamed.money ? Math.max(0, unnamed.money.amount - taken()) : rest()
    placed.push({ ...unnamed, amount })
  }
  return placed.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

const total = (disputes: readonly Dispute[]): number => disputes.reduce((sum, { amount }) => sum + amount, 0)

function astrayOf(
  findCharge: FindCharge,
  refunds: readonly Refund[],
  disputes: readonly StatedDispute[],
): Fold['astray'] {
  const moving = [
    ...refunds.filter(({ state }) => state !== 'failed').map((refund) => ({ ...refund, isRefund: true })),
    ...disputes.filter(takesMoney).map((dispute) => ({ ...dispute, isRefund: false })),
  ]
  const inCharge = moving.flatMap(({ chargeId, money, isRefund }) => {
    const charge = findCharge(chargeId)
    return charge && charge !== 'unknown' && money ? [{ charge, money, isRefund }] : []
  })
  return {
    ofUnknownCharge: moving.some(({ chargeId }) => findCharge(chargeId) === 'unknown'),
    ofOtherCurrency: inCharge.some(({ charge, money }) => charge.money.currency !== money.currency),
    beyondCharge: inCharge.some(
      ({ charge, money, isRefund }) =>
        isRefund && charge.money.currency === money.currency && money.amount > charge.money.amount,
    ),
  }
}

/** Returns the fees of a payment as they stand: of one fee the latest sum counts. */
export const feesOf = ({ facts }: Pick<OrderedFacts, 'facts'>): FactOf<'fee'>[] =>
  [...Map.groupBy(factsOf(facts, 'fee'), ({ feeId }) => feeId).values()].flatMap(
    (stated) => latest(stated) ?? [],
  )

/** Adds up fees in the currency of the first. */
function feeOf(fees: readonly FactOf<'fee'>[]): Money | null {
  const monies = fees.flatMap(({ money }) => money ?? [])
  const [first] = monies
  if (!first) return null
  const { currency } = first
  const same = monies.filter((money) => money.currency === currency)
  return { amount: same.reduce((sum, { amount }) => sum + amount, 0), currency }
}
