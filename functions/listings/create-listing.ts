import { agent } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { generalListingLimits } from '#lib/accounts/listing-limit-settings'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { createListing } from '#lib/listings/create-listing'
import { ListingDraft } from '#lib/listings/fields'
import { listings } from '#lib/listings/listing-store.dynamo'
import { ListingView } from '#lib/listings/views/listing-view'
import { draftLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'POST /listings',
  summary: 'Draft a listing',
  description:
    'Bounds apply to the fields that are given. Omitted fields are null; an omitted `rentPeriod` of a rent is `month`. An ' +
    'agent may have 100 drafts (else 409 `draft_limit_reached`) and 2,000 listings, ARCHIVED ones included (else 409 ' +
    '`listing_limit_reached`), unless the operator sets other limits. A submitted listing counts among the 20 that may wait ' +
    'for review. With a `reference` an import can be repeated: if another listing has it, the answer is a 409 ' +
    '`reference_taken` with that `listingId`, whatever the limits.',
  access: agent,
  apiKeys: apiKeys('listings:write'),
  input: { body: ListingDraft },
  output: {
    201: versioned(
      ListingView.meta({ example: { status: 'DRAFT', media: [], priceHistory: [], publishedAt: null } }),
    ),
  },
  location: '/listings/',
  problems: ['reference_taken', 'draft_limit_reached', 'listing_limit_reached'],
  idempotency: recorded,
  deps: {
    listings,
    accounts: accountReader,
    limits: generalListingLimits,
    links: draftLinks,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body }, deps) => createListing(deps, actor.account, body),
})
