import type { DynamoDBStreamEvent } from 'aws-lambda'
import { changes, followInOrder } from '#lib/dynamo/stream'
import { job } from '#lib/http/job'
import { inParallel } from '#lib/kernel/parallel'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { followMedia } from '#lib/listings/media/follow-media'
import { followSearch } from '#lib/listings/search/follow-search'
import { searchIndex } from '#lib/listings/search/search-index.dynamo'
import { variantStore } from '#lib/media/store/variant-store.s3'

export const { spec, handler } = job({
  name: 'followListings',
  summary: 'Lets search lists and public media follow the listings, and removes the bytes of deleted media',
  deps: { listings: listingStore, index: searchIndex, variants: variantStore },
  // What keeps one of the two from following keeps the other from nothing.
  run: (event: DynamoDBStreamEvent, deps) =>
    followInOrder(changes(event), (change) =>
      inParallel([followSearch, followMedia], 2, (follow) => follow(deps, change)),
    ),
})
