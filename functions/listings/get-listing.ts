import * as z from 'zod'
import { anyoneByToken } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeysOrPublic } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { showListing } from '#lib/listings/get-listing'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { ListingView, PaidForListing, PublishedListing } from '#lib/listings/listing-view'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { payers } from '#lib/payments/payers.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /listings/{id}',
  summary: 'A listing',
  description:
    'A published one for everyone, as a `PublishedListing`; any other for its owner and administrators, as a ' +
    '`Listing`; who paid on one sees a `PaidForListing` when it is not published. The `ETag` names the version and the view. ' +
    '`If-None-Match` is honoured for a `PublishedListing` alone, since the others hold links that end.',
  access: anyoneByToken({ administrators: ['moderation'] }),
  apiKeys: apiKeysOrPublic('listings:read'),
  input: { params: { id: ListingId } },
  output: { 200: versioned(z.discriminatedUnion('view', [PublishedListing, ListingView, PaidForListing])) },
  honours: 'If-None-Match',
  caching: 'public',
  deps: { listings: listingReader, accounts: accountReader, links: mediaLinks, payers, now: clock },
  run: ({ actor, params }, deps) => showListing(deps, actor, params.id),
})
