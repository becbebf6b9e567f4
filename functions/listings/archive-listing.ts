import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { archiveListing } from '#lib/listings/moves/archive-listing'

export const { spec, handler } = endpoint({
  route: 'DELETE /listings/{id}',
  summary: 'Archive a listing',
  description:
    'Permanently, from any status: from then on only its owner and administrators see it, and it cannot change. ' +
    'Honours `If-Match`. An archived listing is 204 again.',
  access: user,
  apiKeys: apiKeys('listings:write'),
  input: { params: { id: ListingId } },
  output: { 204: null },
  problems: ['forbidden'],
  honours: 'If-Match',
  deps: { listings, accounts: accountReader, now: clock, newId: ids },
  run: ({ actor, params, seenVersion }, deps) => archiveListing(deps, actor.userId, params.id, seenVersion),
})
