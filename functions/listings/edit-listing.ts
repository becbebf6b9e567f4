import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids, timer } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { editListing } from '#lib/listings/edit-listing'
import { ListingPatch } from '#lib/listings/fields'
import { listings } from '#lib/listings/listing-store.dynamo'
import { ListingView } from '#lib/listings/views/listing-view'
import { versionedView } from '#lib/listings/views/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'PATCH /listings/{id}',
  summary: 'Change a listing',
  description:
    'Of a published or suspended listing `price`, `reference` and a `precision` that becomes `approximate` change at once; any other change ' +
    'waits in the `revision` until a moderator decides, while the live listing stays as it was. `location` is replaced whole. Once submitted, a ' +
    'listing cannot lose a field that publication needs. A further change joins the pending revision, which keeps its place in the queue; a field ' +
    'that is changed back leaves it. A request that changes nothing makes no new version. An agent may change a public listing 60 times a clock hour, and all public ones 600 times. Honours `If-Match`.',
  access: user,
  apiKeys: apiKeys('listings:write'),
  input: { params: { id: ListingId }, body: ListingPatch },
  output: { 200: versioned(ListingView) },
  problems: [
    'forbidden',
    'listing_incomplete',
    'reference_taken',
    'listing_transition_not_allowed',
    'too_many_requests',
  ],
  honours: 'If-Match',
  deps: {
    listings,
    accounts: accountReader,
    links: mediaLinks,
    quotas,
    now: clock,
    newId: ids,
    sleep: timer,
  },
  run: async ({ actor, params, body, seenVersion }, deps) => {
    const { listing, owner } = await editListing(deps, actor.userId, params.id, body, seenVersion)
    return versionedView(listing, owner, 'owner', deps.links)
  },
})
