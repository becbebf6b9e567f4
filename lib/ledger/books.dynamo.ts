import * as z from 'zod'
import { itemsOfEntries, queryMerged, shardOf, shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import type { Write } from '#lib/kernel/write'
import {
  lastClosingKey,
  ledgerClosingKey,
  ledgerClosingPartition,
  ledgerDayIndex,
  ledgerDayList,
  ledgerSumKey,
  ledgerSumsList,
  postingKey,
  postingQuery,
} from './ledger.keys.ts'
import {
  AccountSum,
  addUp,
  type BookReader,
  type Books,
  LedgerTransaction,
  Posting,
  sumsOf,
} from './transaction.ts'

const LastClosing = z.object({ day: z.string() })

/**
 * The number of shards of a day's sums. All payments of a provider add to the same accounts, and DynamoDB refuses a transaction
 * that adds to a sum while another holds it: the write then has to be tried again.
 */
const SUMS_SHARDS = 16

/** Opens the books in the one table. */
export const openBooks = (table: Table): Books => ({
  book: (entries) => [
    ...entries.map(
      ({ key, transaction }): Write =>
        table.put(
          {
            ...key,
            ...ledgerDayIndex(transaction.at, transaction.id),
            kind: 'ledger-transaction',
            ...transaction,
          },
          { when: 'absent' },
        ),
    ),
    ...sumWrites(
      table,
      entries.map(({ transaction }) => transaction),
    ),
  ],
  post: (id, posting) =>
    table.put(
      {
        ...postingKey(id, posting.version, `${posting.object} ${posting.currency}`),
        kind: 'posting',
        ...posting,
      },
      { when: 'absent' },
    ),
  postings: async (id) => {
    const items = await table.queryAll({ ...postingQuery(id), consistent: true })
    return items.map((item) => Posting.parse(item))
  },
  day: async (day, page) => {
    const { items, next } = await queryMerged(table, shardsOf(ledgerDayList(day)), page, 'gsi2')
    const transactions = await itemsOfEntries(table, items)
    return { items: transactions.map((item) => LedgerTransaction.parse(item)), next }
  },
  sums: async (day) => {
    const shards = await Promise.all(
      shardsOf(ledgerSumsList(day), SUMS_SHARDS).map((partition) =>
        table.queryAll({ partition, consistent: true }),
      ),
    )
    return addUp(shards.flat().map((item) => AccountSum.parse(item)))
  },
  closing: async (day) => {
    const item = await table.get(lastClosingKey())
    if (!item) return undefined
    const last = LastClosing.parse(item).day
    // Days are closed in order: every day up to the last one has its balances.
    const closed = last < day ? last : day
    const items = await table.queryAll({ partition: ledgerClosingPartition(closed), consistent: true })
    return { day: closed, balances: items.map((each) => AccountSum.parse(each)) }
  },
  close: async (day, balances) => {
    await table.writeEach(
      balances.map((balance) => ({
        put: {
          ...ledgerClosingKey(day, balance.account, balance.currency),
          kind: 'ledger-closing',
          ...balance,
        },
      })),
    )
    // After its balances: a day counts as closed only with all of them.
    await table.commit([table.put({ ...lastClosingKey(), kind: 'ledger-closing-day', day })])
  },
  commit: table.commit,
})

/** Counts transactions of one moment in the sums of their day, with one update for each account, all in one shard. */
function sumWrites(table: Table, transactions: readonly LedgerTransaction[]): Write[] {
  const [first] = transactions
  if (!first) return []
  const [day, shard] = [first.at.slice(0, 10), shardOf(first.id, SUMS_SHARDS)]
  return sumsOf(transactions).map(({ account, currency, amount }) =>
    table.update(ledgerSumKey(day, shard, account, currency), {
      set: { kind: 'ledger-sum', account, currency },
      add: { amount },
    }),
  )
}

/** The books, as a dependency of functions. */
export const books = onTable(openBooks, {
  reads: ['CORRECTION', 'LEDGER-CLOSING', 'LEDGER-SUMS', 'PAYMENT', 'PAYOUT', 'gsi2:LEDGER'],
  writes: ['CORRECTION', 'LEDGER-CLOSING', 'LEDGER-SUMS', 'PAYMENT', 'PAYOUT'],
})

export const bookReader = onTable((table): BookReader => openBooks(table), {
  reads: ['CORRECTION', 'LEDGER-CLOSING', 'LEDGER-SUMS', 'PAYMENT', 'PAYOUT', 'gsi2:LEDGER'],
})
