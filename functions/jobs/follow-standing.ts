import type { DynamoDBStreamEvent } from 'aws-lambda'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { newImages } from '#lib/dynamo/stream'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { followStandings } from '#lib/listings/follow-standing'
import { listingStore } from '#lib/listings/listing-store.dynamo'

export const { spec, handler } = job({
  name: 'followStanding',
  summary: "Suspends an agent's listings when their standing is lost, and brings them back with it",
  deps: { listings: listingStore, accounts: accountStore, now: clock, newId: ids },
  run: (event: DynamoDBStreamEvent, deps) =>
    followStandings(
      deps,
      newImages(event).map(({ item }) => item),
    ),
})
