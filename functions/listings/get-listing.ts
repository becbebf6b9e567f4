import { accountStore } from '#lib/accounts/account-store.dynamo'
import { anyone } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { getListing } from '#lib/listings/get-listing'
import { ListingView } from '#lib/listings/listing'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { listingReply, unchanged } from '#lib/listings/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'GET /listings/{id}',
  summary: 'A listing',
  description:
    'A published one for everyone; any other for its owner and administrators. Honours `If-None-Match`.',
  access: anyone,
  input: { params: { id: ListingId } },
  output: { 200: ListingView, 304: null },
  deps: { listings: listingStore, accounts: accountStore, links: mediaLinks, now: clock },
  run: async ({ actor, params, request }, deps) => {
    const { listing, owner, viewer } = await getListing(deps, actor, params.id)
    return (
      unchanged(listing, viewer, request.ifNoneMatch) ?? listingReply(200, owner, viewer, deps.links)(listing)
    )
  },
})
