import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { favourites } from '#lib/favourites/favourite-store.dynamo'
import { saveFavourite } from '#lib/favourites/save-favourite'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { statistics } from '#lib/listings/statistics/statistics.dynamo'

export const { spec, handler } = endpoint({
  route: 'PUT /favourites/{listingId}',
  summary: 'Save a public listing',
  description:
    'A listing that is saved already stays as it is, with its `savedAt` and `savedPrice`, also while it is not public. A ' +
    'person may have 500.',
  access: user,
  input: { params: { listingId: ListingId } },
  output: { 204: null },
  problems: ['favourite_limit_reached'],
  deps: { favourites, listings: listingReader, accounts: accountReader, statistics, now: clock },
  run: ({ actor, params }, deps) => saveFavourite(deps, actor.account, params.listingId),
})
