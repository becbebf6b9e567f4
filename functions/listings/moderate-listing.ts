import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { ListingId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { Moderation } from '#lib/listings/review/decision'
import { moderateListing } from '#lib/listings/review/moderate-listing'
import { ListingView } from '#lib/listings/views/listing-view'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { variantPublisher } from '#lib/media/store/variant-store.s3'

export const { spec, handler } = endpoint({
  route: 'PATCH /listings/{id}/moderate',
  summary: 'Decide a listing',
  description:
    'Any decision but PUBLISHED needs a reason or a `message`. While a revision of a published listing waits, PUBLISHED makes ' +
    'it live, and REJECTED drops it and leaves the listing published. A suspended listing is restored as it was; its revision ' +
    'stays in the queue. The status that a listing has, without a revision, changes nothing, but SUSPENDED takes the place of ' +
    'the reason `owner_not_verified`. Honours `If-Match`: then the decision applies only to the version that the moderator saw.',
  access: administrator(['moderation']),
  input: { params: { id: ListingId }, body: Moderation },
  output: { 200: versioned(ListingView) },
  problems: ['listing_transition_not_allowed', 'owner_not_verified', 'media_not_ready'],
  honours: 'If-Match',
  idempotency: recorded,
  deps: {
    listings,
    accounts: accountReader,
    journal,
    links: mediaLinks,
    now: clock,
    newId: ids,
    variants: variantPublisher,
  },
  run: ({ actor, params, body, seenVersion }, deps) =>
    moderateListing(deps, actor.subject, params.id, body, seenVersion),
})
