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
    'Newest first, by first publication, and with `near` nearest first. Ties go by id, descending. Filters given together ' +
    'must all hold. Each word of `q` begins a word of title, description, district, city or a feature. Minima, maxima and ' +
    'edges are included; a listing that does not state what a filter compares matches none. A page may be short, even ' +
    'empty, and still have a `nextCursor`; what does not change meanwhile is given once. An unknown `agent` finds nothing. ' +
    '180° east and west are one meridian. Of an approximate location everything goes by the rounded point.',
  access: 'public',
  input: { query: SearchQuery },
  output: { 200: SearchPage },
  problems: ['invalid_cursor', 'unavailable'],
  caching: 'public',
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
