import type { UserId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import { takesMoney } from '#lib/payments/state/dispute'
import { type Charge, feesOf, foldOf } from '#lib/payments/state/fold'
import type { Payment } from '#lib/payments/state/payment'
import type { Refund } from '#lib/payments/state/refund'
import { agentAccount, type Line, PLATFORM, type Posting } from './transaction.ts'

/** The lines of one money object, in one currency. */
type Holding = { object: string; currency: Currency; lines: Line[] }

/** Returns the lines that move a sum from one account to another; for a sum of 0 no lines. */
const transfer = (amount: number, from: string, to: string): Line[] =>
  amount > 0
    ? [
        { account: from, amount: -amount },
        { account: to, amount },
      ]
    : []

/** Returns the money objects of a payment, by name and currency. */
function holdingsOf(payment: Payment): Map<string, Holding> {
  const charges = foldOf(payment).charges.filter(({ state }) => state !== 'taken_back')
  const holdings = [...charges.flatMap((charge) => chargeHoldings(payment, charge)), ...feeHoldings(payment)]
  return new Map(holdings.map((holding) => [`${holding.object} ${holding.currency}`, holding]))
}

/** Returns the money objects of a charge: itself, its commission, its refunds and its disputes. */
function chargeHoldings(payment: Payment, charge: Charge): Holding[] {
  const { currency } = charge.money
  const provider = `provider:${payment.provider}`
  const owner = ownerOf(payment, charge)
  return [
    {
      object: `charge:${charge.id ?? payment.id}`,
      currency,
      lines: transfer(charge.money.amount, owner, provider),
    },
    ...commissionHoldings(payment, charge),
    ...charge.refunds.flatMap((refund) => refundHoldings(refund, currency, provider, owner)),
    ...charge.disputes.filter(takesMoney).map(({ id, amount }) => ({
      object: `dispute:${id}`,
      currency,
      lines: transfer(amount, provider, owner),
    })),
  ]
}

/** The accounts of money that is owed back to its payer: a second charge, and a charge of another sum. */
const OWNERS = { second: 'overpaid', unasked: 'suspense' } as const

/** Returns the account that the money of a charge belongs to. */
function ownerOf(payment: Payment, { state }: Charge): string {
  if (state === 'second' || state === 'unasked') return `${OWNERS[state]}:${payment.provider}`
  const agentId = agentOf(payment)
  return agentId === null ? PLATFORM : agentAccount(agentId)
}

/** Returns the agent whom a payment is for; null for a payment without an agent, as without a listing. */
export const agentOf = ({ listing }: Pick<Payment, 'listing'>): UserId | null =>
  listing?.agent?.userId ?? null

/** The basis points of the whole sum. */
const BASIS_POINTS = 10_000n

/**
 * Returns the commission on a sum, rounded half to even to the minor unit. Whole numbers throughout: a float would
 * blur sums beyond 2^53.
 */
export function commissionOn(amount: number, basisPoints: number): number {
  const product = BigInt(amount) * BigInt(basisPoints)
  const whole = product / BASIS_POINTS
  const twiceTheRest = (product % BASIS_POINTS) * 2n
  const roundsUp = twiceTheRest > BASIS_POINTS || (twiceTheRest === BASIS_POINTS && whole % 2n === 1n)
  return Number(roundsUp ? whole + 1n : whole)
}

/** The two shares of what is left of a charge: the agent's, and the platform's commission. */
type Share = { agent: number; commission: number }

/**
 * Returns how what is left of a charge is shared, once `taken` of it was refunded or is under a dispute. The commission
 * gives back ⌊commission · taken / charge⌋ in all, so that the order of refunds does not matter and a whole refund
 * returns it whole.
 */
export function shareOf(charge: { amount: number; commission: number }, taken: number): Share {
  const returned = Number((BigInt(charge.commission) * BigInt(taken)) / BigInt(charge.amount))
  const commission = charge.commission - returned
  return { agent: charge.amount - taken - commission, commission }
}

/** Returns a charge with its commission, and how much of it was refunded or is disputed. */
export function commissionedCharge(payment: Payment, { money, refunded, disputed }: Charge) {
  const commission = commissionOn(money.amount, payment.commissionBasisPoints)
  return { amount: money.amount, commission, taken: Math.min(money.amount, refunded + disputed) }
}

/** Returns the commission of a charge, a money object of its own: refunds and disputes of the charge reduce it. */
function commissionHoldings(payment: Payment, charge: Charge): Holding[] {
  if (charge.state !== 'counts') return []
  const commissioned = commissionedCharge(payment, charge)
  const { commission } = shareOf(commissioned, commissioned.taken)
  const lines = transfer(commission, 'commission', ownerOf(payment, charge))
  return [{ object: `commission:${charge.id ?? payment.id}`, currency: charge.money.currency, lines }]
}

/** Returns a refund that succeeded, and its reversal where it failed after that. */
function refundHoldings(refund: Refund, currency: Currency, provider: string, owner: string): Holding[] {
  if (!refund.hasSucceeded) return []
  const name = refund.providerRefundId ?? refund.key
  const amount = refund.money?.amount ?? 0
  const made = { object: `refund:${name}`, currency, lines: transfer(amount, provider, owner) }
  const reversal = { object: `refund_failed:${name}`, currency, lines: transfer(amount, owner, provider) }
  return refund.state === 'failed' ? [made, reversal] : [made]
}

/** The provider's fee is a cost of the platform. */
const feeHoldings = (payment: Payment): Holding[] =>
  feesOf(payment).flatMap(({ feeId, money }) =>
    money
      ? [
          {
            object: `fee:${feeId}`,
            currency: money.currency,
            lines: transfer(money.amount, `provider:${payment.provider}`, 'fees'),
          },
        ]
      : [],
  )

/** Returns a posting for each money object that differs between two versions of a payment. */
export function postingsOf(before: Payment, after: Payment, reason: string): Posting[] {
  const { version, updatedAt: at } = after
  const [old, next] = [holdingsOf(before), holdingsOf(after)]
  // Each money object of either version, once.
  const all = new Map([...old, ...next])
  return [...all].flatMap(([name, { object, currency }]): Posting[] => {
    const lines = difference(old.get(name)?.lines ?? [], next.get(name)?.lines ?? [])
    return lines.length > 0 ? [{ version, object, at, reason, currency, lines }] : []
  })
}

function difference(before: readonly Line[], after: readonly Line[]): Line[] {
  const sums = new Map<string, number>()
  for (const { account, amount } of after) sums.set(account, (sums.get(account) ?? 0) + amount)
  for (const { account, amount } of before) sums.set(account, (sums.get(account) ?? 0) - amount)
  return [...sums].flatMap(([account, amount]) => (amount === 0 ? [] : [{ account, amount }]))
}

/** The lines of postings, one by one. */
export const entriesOf = (postings: readonly Posting[]) =>
  postings.flatMap(({ lines, at, reason, currency }) =>
    lines.map(({ account, amount }) => ({ account, amount, currency, at, reason })),
  )
