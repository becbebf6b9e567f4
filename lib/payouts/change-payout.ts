import { announce } from '#lib/events/event'
import type { Clock } from '#lib/kernel/clock'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, PayoutId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { AgentAccounts } from '#lib/ledger/agent-accounts'
import { payoutTransactionKey } from '#lib/ledger/ledger.keys'
import { agentAccount, type Books, type LedgerTransaction, PLATFORM } from '#lib/ledger/transaction'
import { isOnItsWay, type Payout, payoutAccountName } from './payout.ts'
import type { PayoutStore } from './payout-store.ts'

/** The dependencies for changing a payout. */
export type ChangePayoutDeps = {
  payouts: PayoutStore
  agentAccounts: AgentAccounts
  books: Books
  now: Clock
  newId: NewId
}

/** Why a payout changes, and further writes of the transaction. */
type Why = { reason: string; also?: (next: Payout) => Write[] }

/**
 * Stores an edit of a payout and what follows from it in one transaction: the money that comes back, the ledger and the
 * event. `edit` returns undefined to change nothing, and runs again on the state that another function stored
 * meanwhile. Throws `not_found`, and what the edit throws.
 */
export const changePayout = (
  deps: ChangePayoutDeps,
  id: PayoutId,
  { reason, also = () => [] }: Why,
  edit: (payout: Payout) => Partial<Payout> | undefined,
): Promise<Payout> =>
  retryConflicts(async () => {
    const seen = await deps.payouts.get(id)
    if (!seen) throw new DomainError('not_found')
    const edited = edit(seen)
    if (!edited) return seen
    const at = timestamp(deps.now())
    const next = forgetAccount({ ...seen, ...edited, version: seen.version + 1, updatedAt: at })
    await deps.payouts.commit([
      ...deps.payouts.replace(seen, next),
      ...(next.status === seen.status ? [] : announcementOf(deps, seen.status, next, reason)),
      // The money comes back once: no other status follows FAILED or CANCELLED.
      ...(isReturned(next) === isReturned(seen) ? [] : await moneyWrites(deps, next)),
      ...also(next),
    ])
    return next
  })

/** Removes the encrypted account from a payout that has ended. */
const forgetAccount = (payout: Payout): Payout => (isOnItsWay(payout) ? payout : { ...payout, sealed: null })

/** Whether the money of a payout has gone back to its agent. */
const isReturned = ({ status }: Payout): boolean => status === 'FAILED' || status === 'CANCELLED'

/** Announces the new status of a payout; `from` is null for a new payout. */
export const announcementOf = (
  { newId }: Pick<ChangePayoutDeps, 'newId'>,
  from: Payout['status'] | null,
  { id, status: to, agentId, amount, currency, method, updatedAt: at }: Payout,
  reason: string,
): Write[] => [
  announce({
    id: newId('event'),
    type: 'payout.status_changed',
    subject: id,
    at,
    data: { from, to, agentId, amount, currency, method, reason },
  }),
]

/** Returns the transaction that takes a payout from its owner's account (a positive `amount`), or brings it back. */
export const payoutTransaction = (
  { newId }: Pick<ChangePayoutDeps, 'newId'>,
  payout: Payout,
  { owner, amount, reason }: { owner: string; amount: number; reason: string },
): LedgerTransaction => ({
  id: newId('transaction'),
  at: payout.updatedAt,
  reason,
  paymentId: null,
  payoutId: payout.id,
  currency: payout.currency,
  lines: [
    { account: owner, amount },
    { account: payoutAccountName(payout), amount: -amount },
  ],
})

/** Returns the writes that bring the money of a payout back to its agent, or to the platform once the agent is erased. */
async function moneyWrites(deps: ChangePayoutDeps, payout: Payout): Promise<Write[]> {
  const { agentId, currency, id, amount, status } = payout
  const seen = await deps.agentAccounts.get(agentId, currency)
  const owner = seen.isClosed ? PLATFORM : agentAccount(agentId)
  const reason = status === 'FAILED' ? 'payout failed' : 'payout cancelled'
  const transaction = payoutTransaction(deps, payout, { owner, amount: -amount, reason })
  const booked = deps.books.book([{ key: payoutTransactionKey(id, transaction.id), transaction }])
  if (seen.isClosed) return booked
  const entry = {
    id: transaction.id,
    type: 'payout' as const,
    amount,
    paymentId: null,
    payoutId: id,
    listingId: null,
  }
  return [...booked, ...deps.agentAccounts.change(seen, { entries: [entry] }, payout.updatedAt)]
}
