import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { publishMedia } from '#lib/listings/media/publish-media'
import { AvailabilityChange, setAvailability } from '#lib/listings/moves/set-availability'
import { ListingView } from '#lib/listings/views/listing-view'
import { versionedView } from '#lib/listings/views/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { variantPublisher } from '#lib/media/store/variant-store.s3'
import { endHold } from '#lib/payment-requests/holds/end-hold'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'PUT /listings/{id}/availability',
  summary: 'Say whether the property can still be had',
  description:
    'For a published listing. A listing becomes `AVAILABLE` again without a moderator. `TAKEN` and `AVAILABLE` end a hold ' +
    'of settled payments. A change counts in the limits of `PATCH /listings/{id}`.',
  access: user,
  apiKeys: apiKeys('listings:write'),
  input: { params: { id: ListingId }, body: AvailabilityChange },
  output: { 200: versioned(ListingView) },
  problems: ['forbidden', 'listing_transition_not_allowed', 'too_many_requests'],
  honours: 'If-Match',
  deps: {
    listings,
    accounts: accountReader,
    links: mediaLinks,
    variants: variantPublisher,
    holds,
    quotas,
    now: clock,
    newId: ids,
  },
  run: async ({ actor, params, body, seenVersion }, own) => {
    // Ends the hold in the transaction that changes the availability.
    const deps = { ...own, follow: endHold(own) }
    const { listing, owner } = await setAvailability(deps, actor.userId, params.id, body, seenVersion)
    // Pictures are public while the listing is available or under offer, and withdrawn otherwise.
    await publishMedia(deps, listing.agentId, listing.id)
    return versionedView(listing, owner, 'owner', deps.links)
  },
})
