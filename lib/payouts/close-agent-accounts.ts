import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { AgentAccount, AgentAccounts, WriteOff } from '#lib/ledger/agent-accounts'
import { correctionKey } from '#lib/ledger/ledger.keys'
import { agentAccount, type Books, type LedgerTransaction, PLATFORM } from '#lib/ledger/transaction'
import { type BalanceDeps, getBalance } from './get-balance.ts'
import type { PayoutAccountStore } from './payout-account-store.ts'

/** The dependencies for closing an agent's accounts. */
export type CloseAccountsDeps = BalanceDeps & {
  agentAccounts: AgentAccounts
  payoutAccounts: PayoutAccountStore
  books: Books
  newId: NewId
}

/**
 * Returns the writes that close an agent's accounts: negative balances are written off, and the payout account is
 * removed. Throws `balance_open` with `balances` while money is owed or on its way.
 */
export async function closeAgentAccounts(deps: CloseAccountsDeps, agentId: UserId): Promise<Write[]> {
  const [{ items: balances }, accounts] = await Promise.all([
    getBalance(deps, agentId),
    deps.agentAccounts.ofAgent(agentId),
  ])
  // An account's balance is the sum of what is pending and what is available, which may be negative.
  const isOpen = balances.some(({ pending, available, onItsWay }) => pending + available > 0 || onItsWay > 0)
  // Money may have come between the two readings: `close` requires the accounts as the second one saw them.
  if (isOpen || accounts.some(({ balance }) => balance > 0)) {
    throw new DomainError('balance_open', { extensions: { balances } })
  }
  const transactions = accounts.filter(({ balance }) => balance < 0).map((account) => writeOff(deps, account))
  return [
    ...deps.agentAccounts.close(agentId, accounts, transactions.map(entryOf)),
    ...deps.books.book(
      transactions.map((transaction) => ({ key: correctionKey(transaction.id), transaction })),
    ),
    deps.payoutAccounts.remove(agentId),
  ]
}

/** Writes a negative balance off at the platform's cost: a negative amount credits an account, a positive one debits it. */
const writeOff = (
  { newId, now }: CloseAccountsDeps,
  { agentId, currency, balance }: AgentAccount,
): LedgerTransaction => ({
  id: newId('transaction'),
  at: timestamp(now()),
  reason: 'written off with the account',
  paymentId: null,
  payoutId: null,
  currency,
  lines: [
    { account: agentAccount(agentId), amount: Number(balance) },
    { account: PLATFORM, amount: -Number(balance) },
  ],
})

/** The entry of a write-off in the agent's statement. */
const entryOf = ({ id, currency, at, lines }: LedgerTransaction): WriteOff => {
  const amount = lines.find(({ account }) => account === PLATFORM)?.amount ?? 0
  const entry = { id, type: 'correction' as const, amount, paymentId: null, payoutId: null, listingId: null }
  return { currency, at, entry }
}
