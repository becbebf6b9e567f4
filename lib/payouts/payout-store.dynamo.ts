import { queryShards, readSortKey, recordsInOrder } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { PayoutId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { agentPayoutKey, agentPayoutsQuery, underWayKey, underWayQuery } from '#lib/ledger/ledger.keys'
import {
  payoutDueKey,
  payoutDuePartition,
  payoutKey,
  payoutListKey,
  payoutListPartition,
  payoutOfAgentIndex,
  payoutsOfAgentQuery,
} from './payout.keys.ts'
import { isOnItsWay, needsSomeone, Payout } from './payout.ts'
import { ATTENTION, type PayoutReader, type PayoutStore } from './payout-store.ts'

/** Opens the payouts in the one table. */
export const openPayouts = (table: Table): PayoutStore => {
  const inOrder = (ids: PayoutId[]) => recordsInOrder(table, ids, payoutKey, Payout)
  return {
    get: async (id) => {
      const item = await table.get(payoutKey(id))
      return item && Payout.parse(item)
    },
    list: async (list, { limit, after }) => {
      const span = { limit, after, descending: true }
      const { items, next } = await queryShards(table, payoutListPartition(list), span)
      return {
        items: await inOrder(items.map(({ sk }) => PayoutId.parse(sk))),
        next: next === undefined ? undefined : PayoutId.parse(next),
      }
    },
    // By the index, which may lack the last second.
    byAgent: async (agentId, { limit, after }) => {
      const query = { ...payoutsOfAgentQuery(agentId), limit, after, descending: true }
      const { items, last } = await table.query(query)
      return {
        items: items.map((item) => Payout.parse(item)),
        next: last === undefined ? undefined : PayoutId.parse(last),
      }
    },
    // By the entries that `insert` puts next to the agent's account, which are read consistently.
    ofAgentSince: async (agentId, currency, after) => {
      const query = agentPayoutsQuery(agentId, currency)
      const items = await table.queryAll({
        ...query,
        after: agentPayoutKey(agentId, currency, after).sk,
        consistent: true,
      })
      return inOrder(items.map(({ payoutId }) => PayoutId.parse(payoutId)))
    },
    underWay: async (agentId) => {
      const items = await table.queryAll({ ...underWayQuery(agentId), consistent: true })
      return inOrder(items.map(({ payoutId }) => PayoutId.parse(payoutId)))
    },
    due: async (now, limit) => {
      const { items } = await queryShards(table, payoutDuePartition(), { limit, after: undefined })
      const due = items.filter(({ sk }) => readSortKey(sk).at <= now)
      return inOrder(due.map(({ payoutId }) => PayoutId.parse(payoutId)))
    },
    insert: (payout) => [
      table.put(itemOf(payout), { when: 'absent' }),
      table.put({
        ...agentPayoutKey(payout.agentId, payout.currency, payout.id),
        kind: 'agent-payout',
        payoutId: payout.id,
      }),
      ...entryWrites(table, undefined, payout),
    ],
    replace: (seen, next) => [
      table.put(itemOf(next), { when: { equals: { version: seen.version } } }),
      ...entryWrites(table, seen, next),
    ],
    commit: table.commit,
  }
}

const itemOf = (payout: Payout) => ({
  ...payoutKey(payout.id),
  ...payoutOfAgentIndex(payout.agentId, payout.id),
  kind: 'payout',
  ...payout,
})

const listsOf = (payout: Payout | undefined): string[] =>
  payout ? ['ALL', payout.status, ...(needsSomeone(payout) ? [ATTENTION] : [])] : []

/** Moves a payout in its lists and in the list of due ones. */
function entryWrites(table: Table, seen: Payout | undefined, next: Payout): Write[] {
  const [before, after] = [listsOf(seen), listsOf(next)]
  const hasNewDueTime = next.dueAt !== (seen?.dueAt ?? null)
  return [
    ...before
      .filter((list) => !after.includes(list))
      .map((list) => table.remove(payoutListKey(list, next.id))),
    ...after
      .filter((list) => !before.includes(list))
      .map((list) => table.put({ ...payoutListKey(list, next.id), kind: 'payout-entry', payoutId: next.id })),
    ...underWayWrites(table, seen, next),
    ...(hasNewDueTime && seen?.dueAt ? [table.remove(payoutDueKey(seen.dueAt, next.id))] : []),
    ...(hasNewDueTime && next.dueAt
      ? [table.put({ ...payoutDueKey(next.dueAt, next.id), kind: 'payout-due', payoutId: next.id })]
      : []),
  ]
}

/** Lists a payout among those of its agent whose money is on its way, for as long as it is. */
function underWayWrites(table: Table, seen: Payout | undefined, next: Payout): Write[] {
  const key = underWayKey(next.agentId, next.id)
  if (isOnItsWay(next) === (seen !== undefined && isOnItsWay(seen))) return []
  return [
    isOnItsWay(next) ? table.put({ ...key, kind: 'payout-under-way', payoutId: next.id }) : table.remove(key),
  ]
}

/** The payout store, as a dependency of functions. */
export const payouts = onTable(openPayouts, {
  reads: ['AGENT-ACCOUNT', 'PAYOUT', 'PAYOUTS', 'PAYOUTS-DUE', 'gsi1:PAYOUTS-OF'],
  writes: ['AGENT-ACCOUNT', 'PAYOUT', 'PAYOUTS', 'PAYOUTS-DUE'],
})

export const payoutReader = onTable((table): PayoutReader => openPayouts(table), {
  reads: ['AGENT-ACCOUNT', 'PAYOUT', 'PAYOUTS', 'PAYOUTS-DUE', 'gsi1:PAYOUTS-OF'],
})
