import { onTable, type Table } from '#lib/dynamo/table'
import { listingKey } from './listing.keys.ts'
import { Listing } from './listing.ts'
import type { ListingReader } from './listing-store.ts'

/** Opens the reader of listings. The file is separate, so that functions that only read do not bundle the writes. */
export const openListingReader = (table: Table): ListingReader => ({
  get: async (id) => {
    const item = await table.get(listingKey(id))
    return item && Listing.parse(item)
  },
  getMany: async (ids) => (await table.getMany(ids.map(listingKey))).map((item) => Listing.parse(item)),
  requireStatus: ({ id, status }) => table.check(listingKey(id), { when: { equals: { status } } }),
})

/** The reader of listings as a dependency. */
export const listingReader = onTable(openListingReader, { reads: ['LISTING'] })
