import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { openAccounts } from '#lib/accounts/account-store.dynamo'
import { openTable } from '#lib/dynamo/table'
import { newId, type UserId } from '#lib/kernel/id'
import { archiveListing } from '#lib/listings/archive-listing'
import { editListing } from '#lib/listings/edit-listing'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { moderateListing } from '#lib/listings/review/moderate-listing'
import { followSearch } from '#lib/listings/search/follow-search'
import { openSearchIndex } from '#lib/listings/search/search-index.dynamo'
import { type SearchPosition, searchListings } from '#lib/listings/search/search-listings'
import { SearchQuery, searchOf } from '#lib/listings/search/search-query'
import { loadedTable, TABLE_NAME } from './loaded-table.ts'
import { chance, type Marketplace, marketplace } from './marketplace.ts'
import { itemsOf } from './marketplace-items.ts'
import { compared, type Figures, isFull, MEASURES, PAGE, row, type Spent } from './search-figures.ts'
import { QUERIES, type Query } from './search-mix.ts'

// `npm run bench:search`: what a page of search takes, and what it costs to keep a listing found, with a thousand
// listings in the table and with a hundred thousand. Other sizes as arguments. Never in `npm test`.

const SIZES = process.argv.slice(2).map(Number)
const PAGES_EACH = 150

/** A client that counts what it asks for, and what DynamoDB charges for it. */
function countingClient(endpoint: string, spent: Spent): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials })
  client.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as {
        ReturnConsumedCapacity?: string
        RequestItems?: Record<string, unknown[]>
      }
      input.ReturnConsumedCapacity = 'TOTAL'
      const result = await next(args)
      const { ConsumedCapacity, Items } = result.output as {
        ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[]
        Items?: unknown[]
      }
      spent.requests += 1
      spent.entries += Items?.length ?? 0
      spent.written += Object.values(input.RequestItems ?? {}).flat().length
      for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) spent.capacity += CapacityUnits
      return result
    },
    { step: 'initialize', name: 'counted' },
  )
  return client
}

const nothing = (): Spent => ({ requests: 0, entries: 0, capacity: 0, written: 0 })

function depsOn(endpoint: string, spent: Spent) {
  const client = countingClient(endpoint, spent)
  const table = openTable(TABLE_NAME, () => client)
  return {
    index: openSearchIndex(table),
    listings: openListings(table),
    accounts: openAccounts(table),
    now: () => new Date('2026-11-20T12:00:00.000Z'),
    newId,
  }
}

type Deps = ReturnType<typeof depsOn>

/** Pages of every kind of query: every fifth goes on to a second page. */
async function measureSearches(
  deps: Deps,
  spent: Spent,
  market: Marketplace,
): Promise<Map<Query, Figures[]>> {
  const dice = chance(7)
  const measured = new Map<Query, Figures[]>()
  for (const query of QUERIES) {
    const pages: Figures[] = []
    while (pages.length < PAGES_EACH) {
      const asked = SearchQuery.parse({ ...query.make(market, dice), limit: PAGE })
      let after: SearchPosition | undefined
      for (let page = 1; page === 1 || (page === 2 && after !== undefined && dice.next() < 0.2); page += 1) {
        Object.assign(spent, nothing())
        const start = performance.now()
        const { items, next } = await searchListings(deps, searchOf(asked), {
          limit: asked.limit ?? 20,
          after,
        })
        pages.push({ ...spent, answered: items.length, milliseconds: performance.now() - start })
        after = next
      }
    }
    measured.set(query, pages)
  }
  return measured
}

/** What it takes to publish a listing, to change its price, and to archive it: at once, and by the stream's job after. */
async function measureWrites(deps: Deps, spent: Spent, market: Marketplace): Promise<string[]> {
  const [template] = market.listings()
  if (!template) return []
  const waiting: Listing = {
    ...template,
    id: newId('listing'),
    status: 'PENDING_REVIEW',
    publishedAt: null,
    indexedAs: null,
    bedrooms: 3,
  }
  await deps.listings.commit([deps.listings.insert(waiting)])
  const { id } = waiting
  const owner = waiting.agentId as UserId
  const acts: [string, () => Promise<unknown>][] = [
    ['publish', () => moderateListing(deps, 'admin', id, { status: 'PUBLISHED' }, undefined)],
    [
      'change the price',
      () => editListing(deps, owner, id, { price: { amount: 7, currency: 'XOF' } }, undefined),
    ],
    ['archive', () => archiveListing(deps, owner, id, undefined)],
  ]
  const rows: string[] = []
  for (const [name, act] of acts) {
    const before = await deps.listings.get(id)
    const counted = async (work: () => Promise<unknown>): Promise<string> => {
      Object.assign(spent, nothing())
      await work()
      return `${spent.written} | ${spent.requests} | ${spent.capacity.toFixed(0)}`
    }
    const atOnce = await counted(act)
    const after = await deps.listings.get(id)
    rows.push(`| ${name} | ${atOnce} | ${await counted(() => followSearch(deps, { before, after }))} |`)
  }
  return rows
}

/** As many pages of each kind of query as it weighs in the mix; where there are fewer, they stand for the others. */
const mixOf = (pagesOf: (query: Query) => readonly Figures[]): Figures[] =>
  QUERIES.flatMap((query) => {
    const pages = pagesOf(query)
    const count = Math.round((query.weight * PAGES_EACH) / 20)
    return Array.from({ length: count }, (_, place) => pages[place % pages.length] ?? [])
  }).flat()

const runs: { size: number; fullPagesOf: (query: Query) => Figures[] }[] = []

for (const size of SIZES.length > 0 ? SIZES : [1_000, 100_000]) {
  const market = marketplace(size)
  const loaded = await loadedTable(itemsOf(market))
  const spent = nothing()
  const deps = depsOn(loaded.endpoint, spent)
  const measured = await measureSearches(deps, spent, market)
  runs.push({ size, fullPagesOf: (query) => measured.get(query)?.filter(isFull) ?? [] })
  console.log(
    [
      '',
      `### ${size.toLocaleString('en')} listings, ${loaded.items.toLocaleString('en')} items; p50 / p95 of a page of ${PAGE}`,
      '',
      `| query | ${MEASURES.map(({ name }) => name).join(' | ')} |`,
      '|---|--:|--:|--:|--:|--:|',
      row(
        '**the mix**',
        mixOf((query) => measured.get(query) ?? []),
      ),
      ...[...measured].map(([{ name, weight }, pages]) =>
        row(weight > 0 ? `${name} (${weight} %)` : name, pages),
      ),
      '',
      '| write | entries | requests | units | by the job: entries | requests | units |',
      '|---|--:|--:|--:|--:|--:|--:|',
      ...(await measureWrites(deps, spent, market)),
    ].join('\n'),
  )
  await loaded.stop()
}

// Whatever the size of the marketplace, a full page should take the same. A kind of query that never fills one in the
// smallest cannot be compared, and has no part in it.
const [smallest, largest] = [runs[0], runs.at(-1)]
if (smallest && largest && smallest !== largest) {
  const fullMixOf = ({ fullPagesOf }: (typeof runs)[number]) =>
    mixOf((query) => (runs.every((run) => run.fullPagesOf(query).length > 0) ? fullPagesOf(query) : []))
  const sizes = [largest, smallest].map(({ size }) => size.toLocaleString('en'))
  console.log(
    [
      '',
      `### The same mix of full pages, p50 / p95`,
      ...[smallest, largest].map((run) => row(run.size.toLocaleString('en'), fullMixOf(run))),
      `${sizes.join(' to ')}: ${compared(fullMixOf(largest), fullMixOf(smallest))}`,
    ].join('\n'),
  )
}
