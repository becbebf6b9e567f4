import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { ListingView } from '#lib/listings/listing-view'
import { publishMedia } from '#lib/listings/media/publish-media'
import { searchIndex } from '#lib/listings/search/search-index.dynamo'
import { AvailabilityChange, setAvailability } from '#lib/listings/set-availability'
import { versionedView } from '#lib/listings/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { variantStore } from '#lib/media/store/variant-store.s3'

export const { spec, handler } = endpoint({
  route: 'PUT /listings/{id}/availability',
  summary: 'Say whether the property can still be had',
  description:
    'Of a published listing only. `TAKEN` and `PAUSED` leave public answers at once; back to `AVAILABLE` needs no ' +
    'moderator. The state it already has changes nothing. Honours `If-Match`.',
  access: user,
  input: { params: { id: ListingId }, body: AvailabilityChange },
  output: { 200: versioned(ListingView) },
  problems: ['forbidden', 'listing_transition_not_allowed'],
  honours: 'If-Match',
  writes: 'objects',
  deps: {
    listings: listingStore,
    accounts: accountReader,
    index: searchIndex,
    links: mediaLinks,
    variants: variantStore,
    now: clock,
    newId: ids,
  },
  run: async ({ actor, params, body, seenVersion }, deps) => {
    const { listing, owner } = await setAvailability(deps, actor.userId, params.id, body, seenVersion)
    await publishMedia(deps, listing.agentId, listing.id)
    return versionedView(listing, owner, 'owner', deps.links)
  },
})
