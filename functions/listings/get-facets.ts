import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { countFacets, Facets, FacetsQuery } from '#lib/listings/search/facets'
import { searchReplica } from '#lib/listings/search/replica.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /listings/facets',
  summary: 'Count what a search finds by each of its filters',
  description:
    'Takes the filters of `GET /listings`. Each is counted under all filters but its own, `total` under all. Spellings that ' +
    'compare equal are one entry, spelled as most of its listings are. `prices` needs `currency`: its bins are contiguous ' +
    'and equally wide, with empty ones.',
  access: 'public',
  input: { query: FacetsQuery },
  output: { 200: Facets },
  problems: ['unavailable'],
  caching: 'public',
  deps: { replica: searchReplica, now: clock },
  run: ({ query }, deps) => countFacets(deps, query),
})
