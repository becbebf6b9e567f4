import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { withdrawListing } from '#lib/listings/moves/withdraw-listing'
import { ListingView } from '#lib/listings/views/listing-view'
import { versionedView } from '#lib/listings/views/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'POST /listings/{id}/withdraw',
  summary: 'Take a listing back from review',
  description:
    'The listing becomes a draft again, even beyond the limit of drafts. A draft stays as it is. Honours `If-Match`.',
  access: user,
  apiKeys: apiKeys('listings:write'),
  input: { params: { id: ListingId } },
  output: { 200: versioned(ListingView.meta({ example: { status: 'DRAFT' } })) },
  problems: ['forbidden', 'listing_transition_not_allowed'],
  honours: 'If-Match',
  deps: { listings, accounts: accountReader, links: mediaLinks, now: clock, newId: ids },
  run: async ({ actor, params, seenVersion }, deps) => {
    const { listing, owner } = await withdrawListing(deps, actor.userId, params.id, seenVersion)
    return versionedView(listing, owner, 'owner', deps.links)
  },
})
