import { agent } from '#lib/accounts/access'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { OwnListingCounts } from '#lib/listings/views/list-own-listings'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile/listings/counts',
  summary: "How many of the caller's own listings there are in each status",
  description:
    'Every status is named, also where there are none. For the listings themselves: `GET ' +
    '/auth/profile/listings?status=`.',
  access: agent,
  apiKeys: apiKeys('listings:read'),
  output: { 200: OwnListingCounts },
  deps: { listings: listingReader },
  run: async ({ actor }, deps) => ({ counts: await deps.listings.counts(actor.account.id) }),
})
