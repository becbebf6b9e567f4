import type { DynamoDBStreamEvent } from 'aws-lambda'
import { changes } from '#lib/dynamo/stream'
import { job } from '#lib/http/job'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { followSearch } from '#lib/listings/search/follow-search'
import { searchIndex } from '#lib/listings/search/search-index.dynamo'

export const { spec, handler } = job({
  name: 'followSearch',
  summary: 'Takes out of the search lists what is not found there any more, and puts back what has returned',
  deps: { listings: listingStore, index: searchIndex },
  run: (event: DynamoDBStreamEvent, deps) => followSearch(deps, changes(event)),
})
