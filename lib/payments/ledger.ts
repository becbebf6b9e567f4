import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { Currency } from '#lib/kernel/money'
import { takesMoney } from './dispute.ts'
import { factsOf } from './fact.ts'
import type { Payment } from './payment.ts'
import { accountsOf, amountRefundedOf, type ChargeAccount, statusOf } from './payment-status.ts'
import type { Refund } from './refunds/refund.ts'

/** One line of the ledger: what an account received, or gave when it is negative. */
export const LedgerEntry = z
  .object({
    account: z.string().meta({ example: 'provider:stripe' }),
    amount: z.int(),
    currency: Currency,
    at: Timestamp,
    reason: z.string(),
  })
  .meta({ id: 'LedgerEntry' })
export type LedgerEntry = z.infer<typeof LedgerEntry>

const Line = z.object({ account: z.string(), amount: z.int() })
type Line = z.infer<typeof Line>

/** A movement between accounts for one money object, as it is kept: its lines sum to nothing. */
export const Posting = z.object({
  version: z.int().min(1),
  /** The money object, such as `charge:ch_1`; absent in postings of the first edition. */
  object: z.string().optional(),
  at: Timestamp,
  reason: z.string(),
  currency: Currency,
  lines: z.array(Line),
})
export type Posting = z.infer<typeof Posting>

type Objects = [name: string, lines: Line[]][]

/** A sum that goes from one account to another. */
const transfer = (amount: number, from: string, to: string): Line[] =>
  amount > 0
    ? [
        { account: from, amount: -amount },
        { account: to, amount },
      ]
    : []

/** The lines of each money object of a payment, by its name. */
const objectsOf = (payment: Payment): Map<string, Line[]> =>
  new Map(
    accountsOf(payment).flatMap((account, place): Objects => {
      const { charge } = account
      const provider = `provider:${payment.provider}`
      // A further charge is money that we owe until it is given back.
      const owner = place === 0 ? `payer:${payment.userId}` : `overpaid:${payment.provider}`
      const held = place === 0 ? 'disputes' : owner
      return [
        [`charge:${charge.id ?? payment.id}`, transfer(charge.money.amount, owner, provider)],
        ...account.refunds.flatMap((refund) => refundLines(refund, provider, owner)),
        ...account.disputes
          .filter(takesMoney)
          .map(({ id, state, amount }): Objects[number] => [
            `dispute:${id}`,
            transfer(amount, provider, state === 'open' ? held : owner),
          ]),
      ]
    }),
  )

/** A refund that succeeded, and its return where it failed after that. */
function refundLines(refund: Refund, provider: string, owner: string): Objects {
  const { key, providerRefundId, money, state, hasSucceeded } = refund
  const [name, amount] = [providerRefundId ?? key, money?.amount ?? 0]
  if (!hasSucceeded) return []
  const bounced: Objects = [[`refund_failed:${name}`, transfer(amount, owner, provider)]]
  return [[`refund:${name}`, transfer(amount, provider, owner)], ...(state === 'failed' ? bounced : [])]
}

type Fee = { lines: Line[]; currency: Currency }

/** The fees of a payment: what the provider keeps is a cost of ours, in the fee's own currency. */
const feesOf = (payment: Payment): Map<string, Fee> =>
  new Map(
    factsOf(payment.facts, 'fee').flatMap(({ feeId, money }): [string, Fee][] => {
      if (!money) return []
      const { amount, currency } = money
      const owed = { account: `fees:${payment.provider}`, amount: -amount }
      return [[`fee:${feeId}`, { currency, lines: [owed, { account: 'costs', amount }] }]]
    }),
  )

/** What moved when a payment went from one version to another: a posting for each money object that changed. */
export function postingsOf(before: Payment, after: Payment, reason: string): Posting[] {
  const { version, updatedAt: at, currency } = after
  const [held, holds] = [objectsOf(before), objectsOf(after)]
  const moved = [...new Set([...held.keys(), ...holds.keys()])].flatMap((object): Posting[] => {
    const lines = difference(held.get(object) ?? [], holds.get(object) ?? [])
    return lines.length > 0 ? [{ version, object, at, reason, currency, lines }] : []
  })
  const known = feesOf(before)
  const fees = [...feesOf(after)].flatMap(([object, fee]): Posting[] =>
    known.has(object) ? [] : [{ version, object, at, reason, ...fee }],
  )
  return [...moved, ...fees]
}

function difference(before: readonly Line[], after: readonly Line[]): Line[] {
  const sums = new Map<string, number>()
  for (const { account, amount } of after) sums.set(account, (sums.get(account) ?? 0) + amount)
  for (const { account, amount } of before) sums.set(account, (sums.get(account) ?? 0) - amount)
  return [...sums].flatMap(([account, amount]) => (amount === 0 ? [] : [{ account, amount }]))
}

/** The lines of postings, one by one. */
export const entriesOf = (postings: readonly Posting[]): LedgerEntry[] =>
  postings.flatMap(({ lines, at, reason, currency }) =>
    lines.map(({ account, amount }) => ({ account, amount, currency, at, reason })),
  )

/**
 * What is wrong with a payment: postings that do not balance, accounts that its facts contradict, or a stored state
 * that does not follow from them. The state is a fold over the facts, the postings were written one by one as money
 * moved, so each tests the other. Accounts of postings of the first edition were others: only their balance is tested.
 */
export function faultsOf(payment: Payment, postings: readonly Posting[]): string[] {
  const unbalanced = postings
    .filter(({ lines }) => lines.reduce((sum, { amount }) => sum + amount, 0) !== 0)
    .map(({ version }) => `The posting of version ${version} does not balance`)
  const isFirstEdition = postings.some(({ object }) => object === undefined)
  return [...unbalanced, ...(isFirstEdition ? [] : wrongSums(payment, postings)), ...wrongState(payment)]
}

function wrongSums(payment: Payment, postings: readonly Posting[]): string[] {
  const own = postings.filter(({ object }) => !object?.startsWith('fee:'))
  const sum = (account: string) =>
    entriesOf(own)
      .filter((entry) => entry.account === account)
      .reduce((total, { amount }) => total + amount, 0)
  const accounts = accountsOf(payment)
  const expected: Record<string, number> = {
    [`provider:${payment.provider}`]: total(accounts.map(heldOf)),
    [`overpaid:${payment.provider}`]: -total(accounts.slice(1).map(heldOf)) || 0,
    disputes: total(accounts.slice(0, 1).flatMap(openOf)),
  }
  return Object.entries(expected)
    .filter(([account, amount]) => sum(account) !== amount)
    .map(([account, amount]) => `${account} has ${sum(account)}, the facts say ${amount}`)
}

const heldOf = ({ charge, refunded, disputed }: ChargeAccount): number =>
  charge.money.amount - refunded - disputed
const openOf = ({ disputes }: ChargeAccount): number[] =>
  disputes.filter(({ state }) => state === 'open').map(({ amount }) => amount)
const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** Time alone may move a stored state on, from PENDING to EXPIRED. */
function wrongState(payment: Payment): string[] {
  const status = statusOf(payment, new Date(payment.updatedAt))
  const isRight = status === payment.status && amountRefundedOf(payment) === payment.amountRefunded
  return isRight ? [] : [`The stored state is ${payment.status}, the facts say ${status}`]
}
