import { dependency } from '#lib/config'
import { type Item, openTable, type Table } from '#lib/dynamo/table'
import { ListingId } from '#lib/kernel/id'
import {
  agentListingIndex,
  agentListingQuery,
  listingKey,
  listingMoveKey,
  listingMovesQuery,
  queueIndex,
  queuePartitions,
} from './listing.keys.ts'
import { Listing } from './listing.ts'
import { ListingMove, type ListingStore } from './listing-store.ts'
import { orderInQueue, queuePlace } from './queue-place.ts'

/** Listings in the one table. */
export const openListings = (table: Table): ListingStore => ({
  get: async (id) => {
    const item = await table.get(listingKey(id))
    return item && Listing.parse(item)
  },
  byAgent: async (agentId, { limit, after }) => {
    const { partition, index } = agentListingQuery(agentId)
    const { items, last } = await table.query({
      partition,
      index,
      limit,
      descending: true,
      ...(after && { after: { ...listingKey(after), ...agentListingIndex(agentId, after) } }),
    })
    // The index only lists, and late: what a listing is, its record says.
    const ids = items.map(({ id }) => ListingId.parse(id))
    const found = ids.length > 0 ? await table.getMany(ids.map(listingKey)) : []
    const listings = new Map(found.map((item) => Listing.parse(item)).map((listing) => [listing.id, listing]))
    return { items: ids.flatMap((id) => listings.get(id) ?? []), next: last && ids.at(-1) }
  },
  getMany: async (ids) => (await table.getMany(ids.map(listingKey))).map((item) => Listing.parse(item)),
  moves: async (id) => {
    const moves: ListingMove[] = []
    for (let after: Item | undefined; ; ) {
      const page = { ...listingMovesQuery(id), consistent: true, ...(after && { after }) }
      const { items, last } = await table.query(page)
      moves.push(...items.map((item) => ListingMove.parse(item)))
      if (last === undefined) return moves
      after = last
    }
  },
  queued: async (lists, { limit, after }) => {
    const parts = await Promise.all(
      lists.flatMap(queuePartitions).map((partition) =>
        table.query({
          partition,
          index: 'gsi2',
          limit,
          between: [after === undefined ? '0' : `${after}~`, '~'],
        }),
      ),
    )
    // What moves from one list to another meanwhile is found in both, maybe at the same place.
    const merged = unique(parts.flatMap(({ items }) => items.map((item) => String(item['gsi2sk'])))).sort()
    const orders = merged.slice(0, limit)
    const found = await table.getMany(unique(orders.map(idOfOrder)).map(listingKey))
    const listings = new Map(found.map((item) => Listing.parse(item)).map((listing) => [listing.id, listing]))
    const isMore = merged.length > limit || parts.some(({ last }) => last !== undefined)
    return {
      // The index only lists, and late: where a listing stands, its record says.
      items: orders.flatMap((order) => {
        const listing = listings.get(idOfOrder(order))
        const place = listing && queuePlace(listing)
        const isThere = place && lists.includes(place.list) && order === orderInQueue(listing)
        return isThere ? [listing] : []
      }),
      next: isMore ? orders.at(-1) : undefined,
    }
  },
  insert: (listing) => ({ put: item(listing), when: 'absent' }),
  replace: (seen, next) => ({ put: item(next), when: { equals: { version: seen.version } } }),
  recordMove: (id, move) => ({
    put: { ...listingMoveKey(id, move.id), kind: 'listing-move', listingId: id, ...move },
    when: 'absent',
  }),
  commit: table.commit,
})

const item = (listing: Listing) => {
  const { list, since } = queuePlace(listing)
  return {
    ...listingKey(listing.id),
    ...agentListingIndex(listing.agentId, listing.id),
    ...queueIndex(list, since, listing.id),
    kind: 'listing',
    ...listing,
  }
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** A place in a list says when, and which listing. */
const idOfOrder = (order: string): ListingId => ListingId.parse(order.slice(order.indexOf('#') + 1))

/** The function's listing store. */
export const listingStore = dependency(['TABLE_NAME'], ({ TABLE_NAME }) =>
  openListings(openTable(TABLE_NAME)),
)
