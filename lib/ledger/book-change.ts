import { isDeepStrictEqual } from 'node:util'
import type { NewId, PaymentId, UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { BookChange } from '#lib/payments/change/change-payment'
import { foldOf } from '#lib/payments/state/fold'
import type { Payment } from '#lib/payments/state/payment'
import type { AgentAccounts, HeldPayment, NewEntry } from './agent-accounts.ts'
import { paymentTransactionKey } from './ledger.keys.ts'
import { agentOf, commissionedCharge, entriesOf, postingsOf, shareOf } from './posting.ts'
import {
  agentAccount,
  type BookReader,
  type Books,
  type LedgerTransaction,
  PLATFORM,
  type Posting,
  sumsOf,
} from './transaction.ts'

export type BookDeps = {
  agentAccounts: AgentAccounts
  books: Books
  newId: NewId
}

/**
 * Books the difference between two versions of a payment: its postings, a transaction in each currency, the entries of
 * its agent's statement, and the share that is held back.
 */
export const bookChange =
  (deps: BookDeps): BookChange =>
  async (before, after, reason) => {
    const agentId = agentOf(after)
    const postings = postingsOf(before, after, reason)
    const entries = statementEntriesOf(deps, after, agentId, postings)
    const held = heldOf(after)
    const changesAccount = entries.length > 0 || !isDeepStrictEqual(heldOf(before), held)
    if (agentId === null || !changesAccount) return writesOf(deps, after, postings)
    const account = await deps.agentAccounts.get(agentId, after.currency)
    // The agent was erased: money that moves now is the platform's.
    if (account.isClosed) return writesOf(deps, after, postings.map(toPlatform(agentId)))
    const change = { entries, held: { paymentId: after.id, next: held } }
    return [
      ...writesOf(deps, after, postings),
      ...deps.agentAccounts.change(account, change, after.updatedAt),
    ]
  }

/** Returns a function that reads what is booked of a payment, line by line, oldest first. */
export const readEntries =
  ({ books }: { books: BookReader }) =>
  async (id: PaymentId) =>
    entriesOf(await books.postings(id))

function writesOf(
  { books, newId }: BookDeps,
  { id, updatedAt: at }: Payment,
  postings: readonly Posting[],
): Write[] {
  const transactions = [...Map.groupBy(postings, ({ currency }) => currency)].map(
    ([currency, some]): LedgerTransaction => ({
      id: newId('transaction'),
      at,
      reason: some.map(({ object }) => object).join(', '),
      paymentId: id,
      payoutId: null,
      currency,
      // Each account by its own name: by default `sumsOf` adds all agents up.
      lines: sumsOf(some, (account) => account).map(({ account, amount }) => ({ account, amount })),
    }),
  )
  return [
    ...postings.map((posting) => books.post(id, posting)),
    ...books.book(
      transactions.map((transaction) => ({ key: paymentTransactionKey(id, transaction.id), transaction })),
    ),
  ]
}

/** Moves an erased agent's lines to the platform's account. */
const toPlatform =
  (agentId: UserId) =>
  (posting: Posting): Posting => ({
    ...posting,
    lines: posting.lines.map(({ account, amount }) => ({
      account: account === agentAccount(agentId) ? PLATFORM : account,
      amount,
    })),
  })

/**
 * The types of statement entries by the kind of a posting's object, such as `charge` of `charge:ch_1`. A provider's fee is
 * no entry: the platform pays it.
 */
const ENTRY_TYPES: Readonly<Record<string, NewEntry['type']>> = {
  charge: 'payment',
  commission: 'commission',
  refund: 'refund',
  refund_failed: 'refund',
  dispute: 'dispute',
}

/** Returns the entries of an agent's statement, one for each posting on the agent's account. What we owe is positive here. */
function statementEntriesOf(
  { newId }: BookDeps,
  { id, listingId }: Payment,
  agentId: UserId | null,
  postings: readonly Posting[],
): NewEntry[] {
  return postings.flatMap(({ object, lines }) => {
    const type = ENTRY_TYPES[object.split(':')[0] ?? '']
    const line = lines.find(({ account }) => agentId !== null && account === agentAccount(agentId))
    if (!type || !line) return []
    return [
      { id: newId('transaction'), type, amount: -line.amount, paymentId: id, payoutId: null, listingId },
    ]
  })
}

/** Returns the agent's share of a payment, and what its pending refunds would take of it; null where there is none. */
function heldOf(payment: Payment): HeldPayment | null {
  const { countingCharge } = foldOf(payment)
  if (!countingCharge || payment.paidAt === null || agentOf(payment) === null) return null
  const charge = commissionedCharge(payment, countingCharge)
  const left = shareOf(charge, charge.taken).agent
  const takenWithPending = Math.min(charge.amount, charge.taken + countingCharge.pending)
  return {
    paymentId: payment.id,
    recordedAt: payment.paidAt,
    isDisputed: countingCharge.disputes.some(({ state }) => state === 'open'),
    left,
    refunding: left - shareOf(charge, takenWithPending).agent,
  }
}
