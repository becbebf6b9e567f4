import { dependency } from '#lib/config'
import { openTable, type Table } from '#lib/dynamo/table'
import { agentListingIndex, listingKey, listingMoveKey } from './listing.keys.ts'
import { Listing } from './listing.ts'
import type { ListingStore } from './listing-store.ts'

/** Listings in the one table. */
export const openListings = (table: Table): ListingStore => ({
  get: async (id) => {
    const item = await table.get(listingKey(id))
    return item && Listing.parse(item)
  },
  insert: (listing) => ({ put: item(listing), when: 'absent' }),
  replace: (seen, next) => ({ put: item(next), when: { equals: { version: seen.version } } }),
  recordMove: (id, move) => ({
    put: { ...listingMoveKey(id, move.id), kind: 'listing-move', listingId: id, ...move },
    when: 'absent',
  }),
  commit: table.commit,
})

const item = (listing: Listing) => ({
  ...listingKey(listing.id),
  ...agentListingIndex(listing.agentId, listing.id),
  kind: 'listing',
  ...listing,
})

/** The function's listing store. */
export const listingStore = dependency(['TABLE_NAME'], ({ TABLE_NAME }) =>
  openListings(openTable(TABLE_NAME)),
)
