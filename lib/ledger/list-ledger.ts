import * as z from 'zod'
import type { Journal } from '#lib/journal/journal'
import { type Clock, Timestamp, timestamp } from '#lib/kernel/clock'
import { writeCsv } from '#lib/kernel/csv'
import type { Cursors } from '#lib/kernel/cursor'
import { type NewId, PaymentId, PayoutId, TransactionId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import { answerPage, type Page } from '#lib/kernel/page'
import { journalReading } from './journal-reading.ts'
import {
  dayAfter,
  FIRST_DAY,
  FilePageQuery,
  fileSpan,
  PAGE_DEFAULT,
  refuseReversedSpan,
  SpanQuery,
} from './span.ts'
import { AccountName, type BookReader, type LedgerTransaction } from './transaction.ts'

/** The postings that an administrator wants to see. */
export const LedgerQuery = FilePageQuery.extend({
  ...SpanQuery.shape,
  account: AccountName.optional().meta({ example: 'agent:usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
  currency: Currency.optional(),
})

/** One posting: a line of a transaction. */
export const PostingView = z
  .object({
    id: z.string().meta({ example: 'pst_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    at: Timestamp,
    account: z.string().meta({ example: 'agent:usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    currency: Currency,
    amount: z.int().meta({
      description: 'In minor units: a debit is positive, a credit negative',
      example: 150_000,
    }),
    transaction: TransactionId.meta({ description: 'The postings of one transaction add up to nothing' }),
    paymentId: PaymentId.nullable(),
    payoutId: PayoutId.nullable(),
    reason: z.string().meta({ example: 'charge' }),
  })
  .meta({ id: 'Posting' })
type PostingView = z.infer<typeof PostingView>

type Deps = {
  books: BookReader
  journal: Journal
  now: Clock
  newId: NewId
}
type Filter = { account?: string | undefined; currency?: string | undefined }

/** The most transactions of one read, and the most reads of one page. After these a page may be short or empty. */
const TRANSACTIONS_MAX = 200
const READS_MAX = 40

/** A page position: a day, its last transaction shown in full, and the last posting shown of the transaction after it. */
const Position = z.object({ day: z.string(), after: z.string().nullable(), posting: z.string().nullable() })
type Position = z.infer<typeof Position>

/** Returns postings, oldest first. The journal records the reading. Throws `invalid_cursor` and `validation_failed`. */
export async function listLedger(
  deps: Deps & { cursors: Cursors },
  administrator: string,
  { limit = PAGE_DEFAULT, cursor, ...filters }: z.infer<typeof LedgerQuery>,
) {
  refuseReversedSpan(filters)
  const list = { list: 'ledger', filters, position: Position }
  const page = await answerPage(deps.cursors, list, cursor, (after) => readPage(deps, filters, limit, after))
  const ids = page.items.map(({ id }) => id)
  await journalReading(deps, administrator, filters, ids)
  return page
}

async function readPage(
  { books, now }: Deps,
  filters: Filter & { from?: string | undefined; to?: string | undefined },
  limit: number,
  after: Position | undefined,
): Promise<Page<PostingView, Position>> {
  const end = endOf(filters.to, now())
  const items: PostingView[] = []
  let place: Position = after ?? { day: startOf(filters.from), after: null, posting: null }
  for (let reads = 0; place.day < end && reads < READS_MAX && items.length < limit; reads += 1) {
    const page = await books.day(place.day, { limit: TRANSACTIONS_MAX, after: place.after ?? undefined })
    const found = fittingPostings(page.items, place, filters, limit - items.length)
    items.push(...found.items)
    const isDayOver = found.isAllShown && page.next === undefined
    place = isDayOver ? startOfDay(dayAfter(place.day)) : found.place
  }
  return { items, next: place.day < end ? place : undefined }
}

const startOfDay = (day: string): Position => ({ day, after: null, posting: null })

/** Returns the postings that a page has room for, and where the next page begins. `isAllShown`: no posting is left. */
function fittingPostings(
  transactions: readonly LedgerTransaction[],
  start: Position,
  filters: Filter,
  room: number,
): { items: PostingView[]; place: Position; isAllShown: boolean } {
  const items: PostingView[] = []
  let place = start
  for (const transaction of transactions) {
    const { posting } = place
    // The page before may have shown this transaction up to a posting, whose id begins with the transaction's.
    const shownUpTo = posting?.startsWith(transaction.id) ? posting : ''
    const unseen = postingsOf(transaction, filters).filter(({ id }) => id > shownUpTo)
    const shown = unseen.slice(0, room - items.length)
    items.push(...shown)
    if (shown.length < unseen.length) {
      return { items, place: { ...place, posting: shown.at(-1)?.id ?? posting }, isAllShown: false }
    }
    // `books.day` goes on after a sort key.
    place = { day: place.day, after: `${transaction.at}#${transaction.id}`, posting: null }
  }
  return { items, place, isAllShown: true }
}

/** Returns the postings of a whole span as CSV. The journal records the reading. Throws `validation_failed`. */
export async function exportLedger(
  deps: Deps,
  administrator: string,
  query: z.infer<typeof LedgerQuery>,
): Promise<string> {
  const { from, to } = fileSpan(query)
  const { account, currency } = query
  const rows: (string | number | null)[][] = []
  for (let day = from; day < to; day = dayAfter(day)) {
    for (let after: string | undefined; ; ) {
      const page = await deps.books.day(day, { limit: TRANSACTIONS_MAX, after })
      for (const transaction of page.items) {
        rows.push(...postingsOf(transaction, { account, currency }).map(rowOf))
      }
      if (page.next === undefined) break
      after = page.next
    }
  }
  await journalReading(deps, administrator, { from, to, account, currency })
  return writeCsv(NAMES, rows)
}

const NAMES = [
  'id',
  'at',
  'account',
  'currency',
  'amount',
  'transaction',
  'paymentId',
  'payoutId',
  'reason',
] as const

const rowOf = (posting: PostingView) => NAMES.map((name) => posting[name])

/** Returns the lines of a transaction that match a filter, each with an id of its own. */
const postingsOf = (
  { id, at, currency, reason, paymentId, payoutId, lines }: LedgerTransaction,
  filter: Filter,
): PostingView[] =>
  lines
    .map((line, index) => ({
      id: `${id}-${String(index).padStart(2, '0')}`,
      at,
      account: line.account,
      currency,
      amount: line.amount,
      transaction: id,
      paymentId,
      payoutId,
      reason,
    }))
    .filter((posting) => filter.account === undefined || posting.account === filter.account)
    .filter((posting) => filter.currency === undefined || posting.currency === filter.currency)

const startOf = (from: string | undefined): string =>
  from !== undefined && from > FIRST_DAY ? from : FIRST_DAY

function endOf(to: string | undefined, now: Date): string {
  const tomorrow = dayAfter(timestamp(now).slice(0, 10))
  return to !== undefined && to < tomorrow ? to : tomorrow
}
