import * as z from 'zod'
import { anyoneWithoutSessionCheck } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeysOrPublic } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { ListingView, PaidForListing, PublishedListing } from '#lib/listings/views/listing-view'
import { showListing } from '#lib/listings/views/show-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { payers } from '#lib/payments/payers/payers.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /listings/{id}',
  summary: 'A listing',
  description:
    'The owner and administrators see a `Listing`, whatever its status. Everyone else sees a published listing, as a ' +
    '`PublishedListing`. A person who paid for a listing sees it unpublished, too, as a `PaidForListing`. The `ETag` names the ' +
    'version and the view. `If-None-Match` is honoured only for a `PublishedListing`, since the other views hold links that expire.',
  access: anyoneWithoutSessionCheck({ administrators: ['moderation'] }),
  apiKeys: apiKeysOrPublic('listings:read'),
  input: { params: { id: ListingId } },
  output: { 200: versioned(z.discriminatedUnion('view', [PublishedListing, ListingView, PaidForListing])) },
  honours: 'If-None-Match',
  caching: 'without credential',
  deps: { listings: listingReader, accounts: accountReader, links: mediaLinks, payers, now: clock },
  run: ({ actor, params }, deps) => showListing(deps, actor, params.id),
})
