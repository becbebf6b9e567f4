import type { DynamoDBStreamEvent } from 'aws-lambda'
import { changes } from '#lib/dynamo/stream'
import { job } from '#lib/http/job'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { followListings } from '#lib/media/follow-listings'
import { variantStore } from '#lib/media/variant-store.s3'

export const { spec, handler } = job({
  name: 'publishMedia',
  summary: 'Makes the media of listings public while the listings are, and removes the bytes of deleted ones',
  deps: { listings: listingStore, variants: variantStore },
  run: (event: DynamoDBStreamEvent, deps) => followListings(deps, changes(event)),
})
