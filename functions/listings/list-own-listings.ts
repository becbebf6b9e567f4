import { agent } from '#lib/accounts/access'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { listOwnListings, OwnListingsQuery } from '#lib/listings/views/list-own-listings'
import { ListingView } from '#lib/listings/views/listing-view'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile/listings',
  summary: "The caller's own listings, newest first",
  description:
    'With `reference` only the listing that has it, if any: never an ARCHIVED one, and found as soon as it is made. With ' +
    '`status` each page is the next `limit` listings without those of another status, and may be short or empty.',
  access: agent,
  apiKeys: apiKeys('listings:read'),
  input: { query: OwnListingsQuery },
  output: { 200: pageOf(ListingView) },
  problems: ['invalid_cursor'],
  deps: { listings: listingReader, links: mediaLinks, cursors },
  run: ({ actor, query }, deps) => listOwnListings(deps, actor.account, query),
})
