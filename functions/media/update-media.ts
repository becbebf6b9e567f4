import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { versionIn } from '#lib/listings/listing-version'
import { MediaItems } from '#lib/listings/media/media'
import { MediaChanges, updateMedia } from '#lib/listings/media/update-media'
import { viewMedia } from '#lib/listings/media/view-media'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'PATCH /listings/{id}/media',
  summary: 'Reorder media and caption them',
  description:
    'On a published or suspended listing a new order applies at once; a new caption waits in `revision.changes.captions`. ' +
    'An `order` names every item once. `position` counts the items that the caller sees. ' +
    'A change counts in the limits of `PATCH /listings/{id}`. Honours `If-Match`.',
  access: user,
  apiKeys: apiKeys('listings:write'),
  input: { params: { id: ListingId }, body: MediaChanges },
  output: { 200: versioned(MediaItems) },
  problems: ['forbidden', 'listing_transition_not_allowed', 'too_many_requests'],
  honours: 'If-Match',
  deps: { listings, accounts: accountReader, links: mediaLinks, quotas, now: clock, newId: ids },
  run: async ({ actor, params, body, seenVersion }, deps) => {
    const listing = await updateMedia(deps, actor.userId, params.id, body, seenVersion)
    const items = await viewMedia(listing, deps.links)
    return { view: { items }, ...versionIn('owner', listing) }
  },
})
