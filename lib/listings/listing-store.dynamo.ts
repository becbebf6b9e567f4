import { dependency } from '#lib/config'
import { openTable, type Table } from '#lib/dynamo/table'
import { ListingId } from '#lib/kernel/id'
import {
  agentListingIndex,
  agentListingQuery,
  listingKey,
  listingMoveKey,
  queueIndex,
} from './listing.keys.ts'
import { Listing } from './listing.ts'
import type { ListingStore } from './listing-store.ts'
import { queuePlace } from './queue-place.ts'

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

/** The function's listing store. */
export const listingStore = dependency(['TABLE_NAME'], ({ TABLE_NAME }) =>
  openListings(openTable(TABLE_NAME)),
)
