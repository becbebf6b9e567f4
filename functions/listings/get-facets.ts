import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { countFacets, Facets, FacetsQuery } from '#lib/listings/search/facets'
import { searchReplica } from '#lib/listings/search/replica.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /listings/facets',
  summary: 'Count what a search finds by each of its filters',
  description:
    'Takes the filters of `GET /listings`. The values of a field are counted among the listings that match all filters on ' +
    'other fields, `total` among those that match all filters. Spellings that compare equal are one entry, with the ' +
    'spelling that most of its listings have. `prices` needs `currency`: its bins are contiguous and equally wide, empty ' +
    'ones included.',
  access: 'public',
  input: { query: FacetsQuery },
  output: { 200: Facets },
  problems: ['unavailable'],
  caching: 'without credential',
  deps: { replica: searchReplica, now: clock },
  run: ({ query }, deps) => countFacets(deps, query),
})
