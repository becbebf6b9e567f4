import { agent } from '#lib/accounts/access'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { createListing } from '#lib/listings/create-listing'
import { ListingDraft } from '#lib/listings/fields'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { ListingView } from '#lib/listings/listing-view'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'POST /listings',
  summary: 'Draft a listing',
  access: agent,
  apiKeys: apiKeys('listings:write'),
  input: { body: ListingDraft },
  output: { 201: versioned(ListingView) },
  location: '/listings/',
  problems: ['draft_limit_reached', 'listing_limit_reached'],
  idempotency: recorded,
  deps: {
    listings: listingStore,
    links: mediaLinks,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body }, deps) => createListing(deps, actor.account, body),
})
