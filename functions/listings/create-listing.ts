import { accountStore } from '#lib/accounts/account-store.dynamo'
import { idempotencyStore } from '#lib/dynamo/idempotency.dynamo'
import { agent } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { recorded } from '#lib/http/idempotency'
import { clock, ids } from '#lib/http/runtime'
import { createListing } from '#lib/listings/create-listing'
import { ListingDraft, ListingView } from '#lib/listings/listing'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { listingReply } from '#lib/listings/view-listing'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'POST /listings',
  summary: 'Draft a listing',
  access: agent,
  input: { body: ListingDraft },
  output: { 201: ListingView },
  problems: ['draft_limit_reached'],
  idempotency: recorded,
  deps: {
    listings: listingStore,
    accounts: accountStore,
    links: mediaLinks,
    idempotency: idempotencyStore,
    now: clock,
    newId: ids,
  },
  run: async ({ actor, body, receipt }, deps) => {
    const reply = listingReply(201, actor.account, 'owner', deps.links)
    return reply(
      await createListing(deps, actor.account, body, async (listing) => receipt(await reply(listing))),
    )
  },
})
