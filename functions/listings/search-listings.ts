import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { pageOf } from '#lib/kernel/page'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { searchIndex } from '#lib/listings/search/search-index.dynamo'
import { FoundListing, searchPage } from '#lib/listings/search/search-page'
import { SearchQuery } from '#lib/listings/search/search-query'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'GET /listings',
  summary: 'Search the published listings',
  description:
    'Newest first, by first publication; or by `price`, `-price`, or with `near` by distance, when items carry ' +
    '`distanceKm`. Ties go by id, descending. Followed to `nextCursor: null`, a search yields each listing once, ' +
    'also while others come and go. A page may be short, even empty, and still have a `nextCursor`. ' +
    'An unknown `agent` and a `minPrice` above `maxPrice` find nothing. `currency` alone is a filter. A listing that ' +
    'does not state its bedrooms matches no `bedrooms`, not even 0. `radiusKm` without `near` is ignored, and `near` takes no `sort`. 180° east and ' +
    'west are one meridian, and a pole is one point.',
  access: 'public',
  input: { query: SearchQuery },
  output: { 200: pageOf(FoundListing) },
  problems: ['invalid_cursor'],
  caching: 'public',
  deps: {
    index: searchIndex,
    listings: listingReader,
    accounts: accountReader,
    links: mediaLinks,
    cursors,
    now: clock,
  },
  run: ({ query }, deps) => searchPage(deps, query),
})
