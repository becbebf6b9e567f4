import { accountStore } from '#lib/accounts/account-store.dynamo'
import { administrator } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { ListingView } from '#lib/listings/listing'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { Moderation, moderateListing } from '#lib/listings/moderate-listing'
import { listingReply } from '#lib/listings/view-listing'
import { originalLinks } from '#lib/media/original-links.s3'

export const { spec, handler } = endpoint({
  route: 'PATCH /listings/{id}/moderate',
  summary: 'Decide a listing',
  description: 'Honours `If-Match`: what the moderator saw is what is decided.',
  access: administrator,
  input: { params: { id: ListingId }, body: Moderation },
  output: { 200: ListingView },
  problems: ['listing_transition_not_allowed', 'owner_not_verified', 'media_not_ready', 'version_conflict'],
  deps: { listings: listingStore, accounts: accountStore, links: originalLinks, now: clock, newId: ids },
  run: async ({ actor, params, body, request }, deps) => {
    const { listing, owner } = await moderateListing(deps, actor.subject, params.id, body, request.ifMatch)
    return listingReply(200, owner, 'administrator', deps.links)(listing)
  },
})
