import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { searchReplica } from '#lib/listings/search/replica.dynamo'
import { SearchPage, searchPage } from '#lib/listings/search/search-page'
import { SearchQuery } from '#lib/listings/search/search-query'
import { publicMediaLinks } from '#lib/media/store/public-media-links'

export const { spec, handler } = endpoint({
  route: 'GET /listings',
  summary: 'Search the published listings',
  description:
    'Newest first, by first publication, or nearest first with `near`. Ties are ordered by id, descending. Filters given ' +
    'together must all hold. Each word of `q` is the beginning of a word of the title, description, district, city or a ' +
    'feature. Minima, maxima and edges are included. A listing without the field that a filter compares does not match the ' +
    'filter. A page may be short, even empty, and still have a `nextCursor`; over all pages an unchanged listing is given ' +
    'once. An unknown `agent` finds nothing. 180° east and west are one meridian. For an approximate location the rounded ' +
    'point decides all comparisons.',
  access: 'public',
  input: { query: SearchQuery },
  output: { 200: SearchPage },
  problems: ['invalid_cursor', 'unavailable'],
  caching: 'without credential',
  deps: {
    replica: searchReplica,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    cursors,
    now: clock,
  },
  run: ({ query }, deps) => searchPage(deps, query),
})
