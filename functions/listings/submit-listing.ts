import { userWithVerifiedEmail } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { generalListingLimits } from '#lib/accounts/listing-limit-settings'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { submitListing } from '#lib/listings/moves/submit-listing'
import { ListingView } from '#lib/listings/views/listing-view'
import { versionedView } from '#lib/listings/views/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'POST /listings/{id}/submit',
  summary: 'Hand a listing to the moderators',
  description:
    'Needs a verified e-mail. The refusal lists the missing fields. A listing that waits already is 200. At most 20 listings ' +
    'of an agent wait at once, unless the operator sets another limit.',
  access: userWithVerifiedEmail,
  apiKeys: apiKeys('listings:write'),
  input: { params: { id: ListingId } },
  output: { 200: versioned(ListingView.meta({ example: { status: 'PENDING_REVIEW' } })) },
  problems: ['forbidden', 'listing_incomplete', 'review_limit_reached', 'listing_transition_not_allowed'],
  deps: {
    listings,
    accounts: accountReader,
    limits: generalListingLimits,
    links: mediaLinks,
    now: clock,
    newId: ids,
  },
  run: async ({ actor, params }, deps) => {
    const { listing, owner } = await submitListing(deps, actor.userId, params.id)
    return versionedView(listing, owner, 'owner', deps.links)
  },
})
