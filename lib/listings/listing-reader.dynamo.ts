import { onTable, type Table } from '#lib/dynamo/table'
import { listingKey } from './listing.keys.ts'
import { Listing } from './listing.ts'
import type { ListingReader } from './listing-store.ts'

/** Opens the reader of listings: a file of its own, so that its functions bundle none of the writes of a listing. */
export const openListingReader = (table: Table): ListingReader => ({
  get: async (id) => {
    const item = await table.get(listingKey(id))
    return item && Listing.parse(item)
  },
  getMany: async (ids) => (await table.getMany(ids.map(listingKey))).map((item) => Listing.parse(item)),
})

/** The function's reader of listings. */
export const listingReader = onTable(openListingReader, { LISTING: ['get'] })
