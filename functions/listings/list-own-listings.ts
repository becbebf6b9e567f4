import { accountStore } from '#lib/accounts/account-store.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { agent } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { listOwnListings, OwnListingsQuery } from '#lib/listings/list-own-listings'
import { ListingView } from '#lib/listings/listing'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile/listings',
  summary: "The caller's own listings, newest first",
  access: agent,
  input: { query: OwnListingsQuery },
  output: { 200: pageOf(ListingView) },
  problems: ['invalid_cursor'],
  deps: { listings: listingStore, accounts: accountStore, links: mediaLinks, cursors },
  run: async ({ actor, query }, deps) => ({
    status: 200,
    body: await listOwnListings(deps, actor.account, query),
  }),
})
