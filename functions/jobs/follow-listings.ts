import { readChange } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { inParallel } from '#lib/kernel/parallel'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { followMedia } from '#lib/listings/media/follow-media'
import { followSearch } from '#lib/listings/search/follow-search'
import { searchIndex } from '#lib/listings/search/search-index.dynamo'
import { variantStore } from '#lib/media/store/variant-store.s3'

export const { spec, handler } = consumer({
  name: 'followListings',
  summary: 'Lets search lists and public media follow the listings, and removes the bytes of deleted media',
  deps: { listings: listingReader, index: searchIndex, variants: variantStore },
  // What keeps one of the two from following keeps the other from nothing.
  read: readChange,
  run: (change, deps) => inParallel([followSearch, followMedia], 2, (follow) => follow(deps, change)),
})
