import { queryMerged, shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import type { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import {
  AgentAccount,
  type AgentAccountReader,
  type AgentAccounts,
  HeldPayment,
  type NewEntry,
  StatementEntry,
} from './agent-accounts.ts'
import {
  agentAccountPartition,
  agentBalanceIndex,
  agentBalanceKey,
  agentBalancesList,
  agentBalancesQuery,
  agentEndKey,
  heldPaymentKey,
  heldPaymentsQuery,
  statementEntryKey,
  statementRange,
} from './ledger.keys.ts'

/** An account that is not stored. `entries` of an account is the number of its entries. */
const EMPTY = { balance: 0n, entries: 0, at: null, isClosed: false, version: 0 }

/** Agents' accounts in the one table. */
export const openAgentAccounts = (table: Table): AgentAccounts => ({
  get: async (agentId, currency) => {
    const item = await table.get(agentBalanceKey(agentId, currency))
    if (item) return AgentAccount.parse(item)
    const end = await table.get(agentEndKey(agentId))
    return { ...EMPTY, agentId, currency, isClosed: end !== undefined }
  },
  ofAgent: async (agentId) => {
    const items = await table.queryAll({ ...agentBalancesQuery(agentId), consistent: true })
    return items.map((item) => AgentAccount.parse(item))
  },
  inCurrency: async (currency, page) => {
    const { items, next } = await queryMerged(table, shardsOf(agentBalancesList(currency)), page, 'gsi1')
    return {
      items: items.map((item) => UserId.parse(item['agentId'])),
      next: next === undefined ? undefined : UserId.parse(next),
    }
  },
  heldPayments: async (agentId, currency) => {
    const items = await table.queryAll({ ...heldPaymentsQuery(agentId, currency), consistent: true })
    return items.map((item) => HeldPayment.parse(item))
  },
  change: (seen, { entries, held }, at) => {
    const { agentId, currency, version } = seen
    const isNew = version === 0
    const moment = momentAfter(seen, at)
    let balance = seen.balance
    const booked = entries.map((entry, index): Write => {
      balance += BigInt(entry.amount)
      return entryWrite(table, seen, entry, { at: moment, balance, number: seen.entries + index })
    })
    const next: AgentAccount = {
      ...seen,
      balance,
      entries: seen.entries + entries.length,
      at: entries.length > 0 ? moment : seen.at,
      version: version + 1,
    }
    const accountKey = { ...agentBalanceKey(agentId, currency), ...agentBalanceIndex(agentId, currency) }
    return [
      table.put(
        { ...accountKey, kind: 'agent-account', ...next },
        { when: isNew ? 'absent' : { equals: { version } } },
      ),
      ...(isNew ? [table.check(agentEndKey(agentId), { when: 'absent' })] : []),
      ...booked,
      ...(held ? [heldWrite(table, seen, held)] : []),
    ]
  },
  // The caller refuses to close an account with money owed, and books a write-off of a negative balance.
  close: (agentId, accounts, writeOffs = []) => [
    table.put({ ...agentEndKey(agentId), kind: 'agent-end' }),
    ...accounts.map(
      ({ currency, version }): Write =>
        table.update(agentBalanceKey(agentId, currency), {
          set: { balance: 0, isClosed: true, version: version + 1 },
          when: { equals: { version } },
        }),
    ),
    ...accounts.flatMap((seen) =>
      writeOffs
        .filter(({ currency }) => currency === seen.currency)
        .map(({ entry, at }) =>
          entryWrite(table, seen, entry, { at: momentAfter(seen, at), balance: 0n, number: seen.entries }),
        ),
    ),
  ],
  statement: async ({ agentId, currency }, { from, to, limit, after, ascending = false }) => {
    const { items, last } = await table.query({
      partition: agentAccountPartition(agentId),
      between: statementRange(currency, from, to),
      limit,
      descending: !ascending,
      consistent: true,
      after,
    })
    return { items: items.map((item) => StatementEntry.parse(item)), next: last }
  },
  commit: table.commit,
})

/** Returns the time of an account's next entry. None is earlier than the one before it, so that a statement sorts by time. */
const momentAfter = (seen: AgentAccount, at: Timestamp): Timestamp =>
  seen.at !== null && seen.at > at ? seen.at : at

function entryWrite(
  table: Table,
  { agentId, currency }: AgentAccount,
  entry: NewEntry,
  { at, balance, number }: { at: Timestamp; balance: bigint; number: number },
): Write {
  const key = statementEntryKey(agentId, currency, at, number)
  const item = { ...entry, at, balance, currency }
  return table.put({ ...key, kind: 'statement-entry', ...item }, { when: 'absent' })
}

function heldWrite(
  table: Table,
  { agentId, currency }: AgentAccount,
  { paymentId, next }: { paymentId: HeldPayment['paymentId']; next: HeldPayment | null },
): Write {
  const key = heldPaymentKey(agentId, currency, paymentId)
  return next === null ? table.remove(key) : table.put({ ...key, kind: 'held-payment', ...next })
}

/** The agents' accounts, as a dependency of functions. */
export const agentAccounts = onTable(openAgentAccounts, {
  reads: ['AGENT-ACCOUNT', 'gsi1:AGENT-BALANCES'],
  writes: ['AGENT-ACCOUNT'],
})

export const agentAccountReader = onTable((table): AgentAccountReader => openAgentAccounts(table), {
  reads: ['AGENT-ACCOUNT', 'gsi1:AGENT-BALANCES'],
})
