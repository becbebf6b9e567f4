import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { PaymentId, PayoutId, TransactionId, type UserId } from '#lib/kernel/id'
import { Currency, Sum } from '#lib/kernel/money'
import type { Page } from '#lib/kernel/page'
import type { Commit, Key, Write } from '#lib/kernel/write'

/** One line of a transaction: a debit of an account where it is positive, a credit where it is negative. */
export const Line = z.object({ account: z.string(), amount: z.int() })
export type Line = z.infer<typeof Line>

/** A movement between accounts in one currency. Its lines add up to nothing. */
export const LedgerTransaction = z.object({
  id: TransactionId,
  at: Timestamp,
  reason: z.string(),
  paymentId: PaymentId.nullable(),
  payoutId: PayoutId.nullable(),
  currency: Currency,
  lines: z.array(Line),
})
export type LedgerTransaction = z.infer<typeof LedgerTransaction>

/**
 * A movement between accounts for one money object (a charge, its commission, a refund, a dispute or a fee), as it is kept:
 * its lines sum to 0. A provider's account is above zero while the provider holds money; an account that is owed money is
 * below zero.
 */
export const Posting = z.object({
  /** The payment's version, which made the posting. */
  version: z.int().min(1),
  /** The money object, such as `charge:ch_1`. */
  object: z.string(),
  at: Timestamp,
  reason: z.string(),
  currency: Currency,
  lines: z.array(Line),
})
export type Posting = z.infer<typeof Posting>

/** The name of an account, as a query spells it. */
export const AccountName = z
  .string()
  .min(1)
  .max(80)
  .meta({ description: 'Such as `provider:stripe`, `commission` or `agent:<id>`' })

/** Returns the ledger account of an agent. */
export const agentAccount = (agentId: UserId): string => `agent:${agentId}`

/** The platform's own account: of payments without an agent, of corrections and of what an erased agent leaves. */
export const PLATFORM = 'platform'

/** All agents together: their accounts are one line of the trial balance. */
const AGENTS = 'agents'

/** Returns the account that a line of the trial balance shows. */
const trialAccountOf = (account: string): string => (account.startsWith('agent:') ? AGENTS : account)

/** The balance or movement of an account in one currency. */
export const AccountSum = z.object({ account: z.string(), currency: Currency, amount: Sum })
export type AccountSum = z.infer<typeof AccountSum>

/** Adds sums of the same account and currency up. Sums of 0 are left out. */
export function addUp(some: readonly AccountSum[]): AccountSum[] {
  const sums = new Map<string, AccountSum>()
  for (const { account, currency, amount } of some) {
    const key = `${account} ${currency}`
    sums.set(key, { account, currency, amount: (sums.get(key)?.amount ?? 0n) + amount })
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n)
}

/** Returns the sum of the lines of a transaction, or a few, by account and currency. Sums of 0 are left out. */
export const sumsOf = (
  transactions: readonly Pick<LedgerTransaction, 'currency' | 'lines'>[],
  nameOf: (account: string) => string = trialAccountOf,
): { account: string; currency: Currency; amount: number }[] =>
  addUp(
    transactions.flatMap(({ currency, lines }) =>
      lines.map(({ account, amount }) => ({ account: nameOf(account), currency, amount: BigInt(amount) })),
    ),
  ).map((sum) => ({ ...sum, amount: Number(sum.amount) }))

/** The books: the postings of each payment, every transaction by its day, and what each account moved in a day. Reads of days may lag by a second. */
export type Books = {
  /** The writes that store transactions, each under its own key, and count them in the sums of their day. */
  book: (entries: readonly { key: Key; transaction: LedgerTransaction }[]) => Write[]
  /**
   * Stores a posting of a payment. A version of the payment has at most one posting for each `object` and currency. The
   * object is a charge, a refund, a dispute, a fee or a commission.
   */
  post: (id: PaymentId, posting: Posting) => Write
  /** The postings of a payment, oldest first. Consistent. */
  postings: (id: PaymentId) => Promise<Posting[]>
  /** The transactions of a UTC day, oldest first; `after` is `<at>#<id>` of the last one seen. */
  day: (
    day: string,
    page: { limit: number; after: string | undefined },
  ) => Promise<Page<LedgerTransaction, string>>
  /** The movement of each account in a UTC day. */
  sums: (day: string) => Promise<AccountSum[]>
  /** The balances at the end of the last closed day that is not after `day`; undefined where no such day is closed. */
  closing: (day: string) => Promise<{ day: string; balances: AccountSum[] } | undefined>
  /** Stores the balances at the end of a day. Safe to repeat. */
  close: (day: string, balances: readonly AccountSum[]) => Promise<void>
  commit: Commit
}

export type BookReader = Pick<Books, 'postings' | 'day' | 'sums' | 'closing'>
