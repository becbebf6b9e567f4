import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { Currency } from '#lib/kernel/money'
import type { Payment } from './payment.ts'
import { amountRefundedOf, disputedAmountOf, isPaid } from './payment-status.ts'

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

/** A movement between accounts, as it is kept: its lines sum to nothing. */
export const Posting = z.object({
  version: z.int().min(1),
  at: Timestamp,
  reason: z.string(),
  currency: Currency,
  lines: z.array(z.object({ account: z.string(), amount: z.int() })),
})
export type Posting = z.infer<typeof Posting>

/**
 * What a payment has put on each account, from its facts alone: the payer gave what was paid, the provider holds
 * it, less what went back as refunds and what a dispute holds or has taken. The sum is nothing, always.
 */
export function holdingsOf(payment: Payment): Record<string, number> {
  const paid = isPaid(payment) ? payment.amount : 0
  const refunds = amountRefundedOf(payment)
  const disputes = disputedAmountOf(payment)
  return {
    [`payer:${payment.userId}`]: -paid,
    [`provider:${payment.provider}`]: paid - refunds - disputes,
    refunds,
    disputes,
  }
}

/** What moved when a payment went from one version to another; undefined when nothing did. */
export function postingOf(before: Payment, after: Payment, reason: string): Posting | undefined {
  const held = holdingsOf(before)
  const lines = Object.entries(holdingsOf(after))
    .map(([account, amount]) => ({ account, amount: amount - (held[account] ?? 0) }))
    .filter(({ amount }) => amount !== 0)
  const { version, updatedAt: at, currency } = after
  return lines.length > 0 ? { version, at, reason, currency, lines } : undefined
}

/** The lines of postings, one by one. */
export const entriesOf = (postings: readonly Posting[]): LedgerEntry[] =>
  postings.flatMap(({ lines, at, reason, currency }) =>
    lines.map(({ account, amount }) => ({ account, amount, currency, at, reason })),
  )

/** What is wrong with a payment's postings: lines that do not balance, or accounts that its facts contradict. */
export function faultsOf(payment: Payment, postings: readonly Posting[]): string[] {
  const unbalanced = postings
    .filter(({ lines }) => lines.reduce((sum, { amount }) => sum + amount, 0) !== 0)
    .map(({ version }) => `The posting of version ${version} does not balance`)
  const sums = new Map<string, number>()
  for (const { account, amount } of entriesOf(postings)) sums.set(account, (sums.get(account) ?? 0) + amount)
  const holdings = holdingsOf(payment)
  const accounts = [...new Set([...Object.keys(holdings), ...sums.keys()])]
  const wrong = accounts
    .filter((account) => (sums.get(account) ?? 0) !== (holdings[account] ?? 0))
    .map((account) => `${account} has ${sums.get(account) ?? 0}, the facts say ${holdings[account] ?? 0}`)
  return [...unbalanced, ...wrong]
}
