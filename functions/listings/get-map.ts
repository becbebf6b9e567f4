import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { MapQuery, mapListings, SearchMap } from '#lib/listings/search/map'
import { searchReplica } from '#lib/listings/search/replica.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /listings/map',
  summary: 'Count the listings of a rectangle by square',
  description:
    'Takes the filters of `GET /listings`. The squares have 64 pixels in Web Mercator, where the world is 256·2^zoom pixels ' +
    'wide. Each counts its listings inside `bbox`; a square with one listing shows that listing. A `bbox` that touches more than ' +
    '2,500 squares is refused: lower `zoom`.',
  access: 'public',
  input: { query: MapQuery },
  output: { 200: SearchMap },
  problems: ['unavailable'],
  caching: 'without credential',
  deps: { replica: searchReplica, now: clock },
  run: ({ query }, deps) => mapListings(deps, query),
})
