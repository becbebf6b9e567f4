import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { ListingId, PaymentId, PayoutId, TransactionId, UserId } from '#lib/kernel/id'
import { Currency, Sum } from '#lib/kernel/money'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'

/** An agent's account in one currency, in minor units: positive where the platform owes the agent. */
export const AgentAccount = z.object({
  agentId: UserId,
  currency: Currency,
  balance: Sum,
  /** The number of entries in its statement. */
  entries: z.int().min(0),
  /** The time of the latest entry: times never go back. */
  at: Timestamp.nullable(),
  /** Whether the agent's account has ended: money that moves later is the platform's. */
  isClosed: z.boolean(),
  /** Counts the writes, also those of held payments. Every write requires the version that was read. */
  version: z.int().min(0),
})
export type AgentAccount = z.infer<typeof AgentAccount>

/** Why an agent's balance changed. */
export const EntryType = z.enum(['payment', 'commission', 'refund', 'dispute', 'payout', 'correction'])

/** One line of an agent's statement, as the agent sees it. `balance` is the balance after it. */
export const StatementEntry = z.object({
  id: TransactionId,
  at: Timestamp,
  type: EntryType,
  amount: z.int(),
  balance: Sum,
  currency: Currency,
  paymentId: PaymentId.nullable(),
  payoutId: PayoutId.nullable(),
  listingId: ListingId.nullable(),
})
export type StatementEntry = z.infer<typeof StatementEntry>

/** An entry before it is booked: its balance and time follow from the account. */
export type NewEntry = Omit<StatementEntry, 'balance' | 'at' | 'currency'>

/** A payment of which a share may be held back from its agent. */
export const HeldPayment = z.object({
  paymentId: PaymentId,
  /** When the payment's success was recorded. */
  recordedAt: Timestamp,
  isDisputed: z.boolean(),
  /** The agent's share of what was neither refunded nor disputed. */
  left: z.int(),
  /** The agent's part of its PENDING refunds. */
  refunding: z.int(),
})
export type HeldPayment = z.infer<typeof HeldPayment>

/** Where agents' accounts are stored. Reads are consistent; writes are values for `commit`. */
export type AgentAccounts = {
  get: (agentId: UserId, currency: Currency) => Promise<AgentAccount>
  ofAgent: (agentId: UserId) => Promise<AgentAccount[]>
  /** Agents with an account in a currency; an account opened within the last second may be missing. */
  inCurrency: (
    currency: Currency,
    page: { limit: number; after: UserId | undefined },
  ) => Promise<Page<UserId, UserId>>
  heldPayments: (agentId: UserId, currency: Currency) => Promise<HeldPayment[]>
  /**
   * Returns the writes that book entries and store how much of a payment is held back. They fail with `WriteConflict`
   * where the account has changed since it was read, so that every balance is exact.
   */
  change: (seen: AgentAccount, change: AccountChange, at: Timestamp) => Write[]
  /**
   * Closes an agent's accounts as they were seen, with the entries that bring negative balances back to nothing, and
   * prevents new ones: money that moves later is the platform's.
   */
  close: (agentId: UserId, accounts: readonly AgentAccount[], writeOffs?: readonly WriteOff[]) => Write[]
  /**
   * Entries of a statement within a span, newest first unless `ascending`. `from` and `to` are days or times; `to` is not
   * included.
   */
  statement: (
    account: Pick<AgentAccount, 'agentId' | 'currency'>,
    span: {
      from: string
      to: string
      limit: number
      after: string | undefined
      ascending?: boolean
    },
  ) => Promise<Page<StatementEntry, string>>
  commit: Commit
}

/** The last entry of an account that closes with a negative balance. */
export type WriteOff = { currency: Currency; at: Timestamp; entry: NewEntry }

type AccountChange = {
  entries: readonly NewEntry[]
  /** The held payment from now on; `next` is null when nothing of the payment is held back any more. */
  held?: { paymentId: PaymentId; next: HeldPayment | null }
}

/**
 * Returns how much of the held payments is held back now. A payment that is disputed, or younger than `delayDays`, is
 * held back whole. Any other payment is held back by the sum of its PENDING refunds.
 */
export function pendingOf(held: readonly HeldPayment[], now: Date, delayDays: number): bigint {
  const mature = timestamp(secondsAfter(now, -delayDays * DAY_SECONDS))
  return held.reduce((sum, { recordedAt, isDisputed, left, refunding }) => {
    // Without a delay no payment is too young, not even one that a clock ahead of this one recorded.
    const isHeldWhole = isDisputed || (delayDays > 0 && recordedAt > mature)
    return sum + BigInt(isHeldWhole ? left : refunding)
  }, 0n)
}

/** Returns the sum that can be paid out: the balance less what is held back. Later payments make up for a negative sum. */
export const availableOf = (
  { balance }: Pick<AgentAccount, 'balance'>,
  held: readonly HeldPayment[],
  now: Date,
  delayDays: number,
): bigint => balance - pendingOf(held, now, delayDays)

export type AgentAccountReader = Pick<
  AgentAccounts,
  'get' | 'ofAgent' | 'inCurrency' | 'heldPayments' | 'statement'
>
