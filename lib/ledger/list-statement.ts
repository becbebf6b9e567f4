import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { writeCsv } from '#lib/kernel/csv'
import type { Cursors } from '#lib/kernel/cursor'
import { ListingId, PaymentId, PayoutId, TransactionId, type UserId } from '#lib/kernel/id'
import { Currency, shownSum } from '#lib/kernel/money'
import { allPages, answerPage } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { type AgentAccountReader, EntryType, type StatementEntry } from './agent-accounts.ts'
import { FilePageQuery, fileSpan, PAGE_DEFAULT, refuseReversedSpan, SpanQuery } from './span.ts'

/** Which part of a statement an agent wants to see. */
export const StatementQuery = FilePageQuery.extend({ currency: Currency, ...SpanQuery.shape })

/** One line of an agent's statement. */
export const StatementEntryView = z
  .object({
    id: TransactionId,
    at: Timestamp,
    type: EntryType,
    amount: z.int().meta({
      description: 'In minor units; what the agent owes is negative',
      example: 150_000,
    }),
    balance: z.int().meta({ description: 'The balance after it', example: 150_000 }),
    paymentId: PaymentId.nullable(),
    payoutId: PayoutId.nullable(),
    listing: z
      .object({
        id: ListingId,
        title: z.string().nullable().meta({ example: 'Three-bedroom apartment in Cocody' }),
      })
      .nullable(),
  })
  .meta({ id: 'StatementEntry' })
type View = z.infer<typeof StatementEntryView>

type Deps = { agentAccounts: AgentAccountReader; listings: ListingReader }

const LATEST = '9999-12-31'
const FILE_PAGE = 500
const TITLES_AT_ONCE = 100

/** Returns a page of an agent's statement, newest first. Throws `invalid_cursor` and `validation_failed`. */
export async function listStatement(
  deps: Deps & { cursors: Cursors },
  agentId: UserId,
  { limit = PAGE_DEFAULT, cursor, ...filters }: z.infer<typeof StatementQuery>,
) {
  refuseReversedSpan(filters)
  const { currency, from = '', to = LATEST } = filters
  const list = { list: `statement of ${agentId}`, filters, position: z.string() }
  return answerPage(deps.cursors, list, cursor, async (after) => {
    const span = { from, to, limit, after }
    const { items, next } = await deps.agentAccounts.statement({ agentId, currency }, span)
    return { items: await viewsOf(deps, items), next }
  })
}

/** Returns a whole span of a statement as CSV, oldest first. Throws `validation_failed`. */
export async function exportStatement(
  deps: Deps,
  agentId: UserId,
  query: z.infer<typeof StatementQuery>,
): Promise<string> {
  const { from, to } = fileSpan(query)
  const account = { agentId, currency: query.currency }
  const entries = await allPages((after: string | undefined) =>
    deps.agentAccounts.statement(account, { from, to, limit: FILE_PAGE, after, ascending: true }),
  )
  return writeCsv(NAMES, (await viewsOf(deps, entries)).map(rowOf))
}

const NAMES = ['id', 'at', 'type', 'amount', 'balance', 'paymentId', 'payoutId', 'listingId', 'listingTitle']

const rowOf = ({ id, at, type, amount, balance, paymentId, payoutId, listing }: View) => [
  id,
  at,
  type,
  amount,
  balance,
  paymentId,
  payoutId,
  listing?.id ?? null,
  listing?.title ?? null,
]

async function viewsOf({ listings }: Deps, entries: readonly StatementEntry[]): Promise<View[]> {
  const ids = [...new Set(entries.flatMap(({ listingId }) => listingId ?? []))]
  const batches: ListingId[][] = []
  for (let start = 0; start < ids.length; start += TITLES_AT_ONCE) {
    batches.push(ids.slice(start, start + TITLES_AT_ONCE))
  }
  const found = (await inParallel(batches, (batch) => listings.getMany(batch), { width: 4 })).flat()
  const titles = new Map(found.map(({ id, title }: Listing) => [id, title]))
  return entries.map(({ currency: _, listingId, balance, ...entry }) => ({
    ...entry,
    balance: shownSum(balance),
    listing: listingId === null ? null : { id: listingId, title: titles.get(listingId) ?? null },
  }))
}
