import { accountStore } from '#lib/accounts/account-store.dynamo'
import { administrator } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { ListingView } from '#lib/listings/listing'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { publishMedia } from '#lib/listings/media/publish-media'
import { Moderation, moderateListing } from '#lib/listings/moderate-listing'
import { searchIndex } from '#lib/listings/search/search-index.dynamo'
import { listingReply } from '#lib/listings/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { variantStore } from '#lib/media/store/variant-store.s3'

export const { spec, handler } = endpoint({
  route: 'PATCH /listings/{id}/moderate',
  summary: 'Decide a listing',
  description: 'Honours `If-Match`: what the moderator saw is what is decided.',
  access: administrator,
  input: { params: { id: ListingId }, body: Moderation },
  output: { 200: ListingView },
  problems: ['listing_transition_not_allowed', 'owner_not_verified', 'media_not_ready', 'version_conflict'],
  deps: {
    listings: listingStore,
    accounts: accountStore,
    index: searchIndex,
    links: mediaLinks,
    now: clock,
    newId: ids,
    variants: variantStore,
  },
  run: async ({ actor, params, body, request }, deps) => {
    const { listing, owner } = await moderateListing(deps, actor.subject, params.id, body, request.ifMatch)
    // Whoever hears that a listing is published finds its pictures; the table's stream makes good what breaks off here.
    await publishMedia(deps, listing.agentId, listing.id)
    return listingReply(200, owner, 'administrator', deps.links)(listing)
  },
})
