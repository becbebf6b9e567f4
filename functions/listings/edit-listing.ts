import { accountStore } from '#lib/accounts/account-store.dynamo'
import { user } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { editListing, ListingPatch } from '#lib/listings/edit-listing'
import { ListingView } from '#lib/listings/listing'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { searchIndex } from '#lib/listings/search/search-index.dynamo'
import { listingReply } from '#lib/listings/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'PATCH /listings/{id}',
  summary: 'Change a listing',
  description:
    'Of a published or suspended listing the price changes at once; anything else waits in its `revision` until a ' +
    'moderator decides, while the live one stays as it was. `location` is replaced whole. What publication needs ' +
    'cannot be cleared from review on. Honours `If-Match`.',
  access: user,
  input: { params: { id: ListingId }, body: ListingPatch },
  output: { 200: ListingView },
  problems: ['forbidden', 'listing_incomplete', 'listing_transition_not_allowed', 'version_conflict'],
  deps: {
    listings: listingStore,
    accounts: accountStore,
    index: searchIndex,
    links: mediaLinks,
    now: clock,
    newId: ids,
  },
  run: async ({ actor, params, body, request }, deps) => {
    const { listing, owner } = await editListing(deps, actor.userId, params.id, body, request.ifMatch)
    return listingReply(200, owner, 'owner', deps.links)(listing)
  },
})
