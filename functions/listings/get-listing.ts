import * as z from 'zod'
import { anyone } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { getListing } from '#lib/listings/get-listing'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { ListingView, PublishedListing } from '#lib/listings/listing-view'
import { versionedView } from '#lib/listings/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'GET /listings/{id}',
  summary: 'A listing',
  description:
    'A published one for everyone, as a `PublishedListing`; any other for its owner and administrators, as a ' +
    '`Listing`. Honours `If-None-Match`.',
  access: anyone,
  input: { params: { id: ListingId } },
  output: { 200: versioned(z.union([ListingView, PublishedListing])) },
  honours: 'If-None-Match',
  caching: 'public',
  deps: { listings: listingStore, accounts: accountStore, links: mediaLinks, now: clock },
  run: async ({ actor, params }, deps) => {
    const { listing, owner, viewer } = await getListing(deps, actor, params.id)
    return versionedView(listing, owner, viewer, deps.links)
  },
})
