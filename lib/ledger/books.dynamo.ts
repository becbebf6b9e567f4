import * as z from 'zod'
import { itemsOfEntries, queryMerged, shardOf, shardsOf } from '#lib/dynamo/lists'
import { storeOnTable, type Table } from '#lib/dynamo/table'
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
import { AccountSum, addUp, type Books, LedgerTransaction, Posting, sumsOf } from './transaction.ts'

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
      ({ key, transaction }): Write => ({
        put: {
          ...key,
          ...ledgerDayIndex(transaction.at, transaction.id),
          kind: 'ledger-transaction',
          ...transaction,
        },
        when: 'absent',
      }),
    ),
    ...sumWrites(entries.map(({ transaction }) => transaction)),
  ],
  post: (id, posting) => ({
    put: {
      ...postingKey(id, posting.version, `${posting.object} ${posting.currency}`),
      kind: 'posting',
      ...posting,
    },
    when: 'absent',
  }),
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
    await table.commit([{ put: { ...lastClosingKey(), kind: 'ledger-closing-day', day } }])
  },
  commit: table.commit,
})

/** Counts transactions of one moment in the sums of their day, with one update for each account, all in one shard. */
function sumWrites(transactions: readonly LedgerTransaction[]): Write[] {
  const [first] = transactions
  if (!first) return []
  const [day, shard] = [first.at.slice(0, 10), shardOf(first.id, SUMS_SHARDS)]
  return sumsOf(transactions).map(({ account, currency, amount }) => ({
    update: ledgerSumKey(day, shard, account, currency),
    set: { kind: 'ledger-sum', account, currency },
    add: { amount },
  }))
}

/** The books, as a dependency of functions. */
export const books = storeOnTable(
  openBooks,
  {
    book: { PAYMENT: ['put'], PAYOUT: ['put'], CORRECTION: ['put'], 'LEDGER-SUMS': ['update'] },
    post: { PAYMENT: ['put'] },
    postings: { PAYMENT: ['query'] },
    day: { PAYMENT: ['get'], PAYOUT: ['get'], CORRECTION: ['get'], 'gsi2:LEDGER': ['query'] },
    sums: { 'LEDGER-SUMS': ['query'] },
    closing: { 'LEDGER-CLOSING': ['get', 'query'] },
    close: { 'LEDGER-CLOSING': ['put', 'batch'] },
    commit: {},
  },
  {
    usesTestedElsewhere: {
      because:
        'a transaction is stored with its payment, payout or correction, and most functions book only one kind',
      uses: { PAYMENT: ['get', 'put'], PAYOUT: ['get', 'put'], CORRECTION: ['get', 'put'] },
    },
  },
)
