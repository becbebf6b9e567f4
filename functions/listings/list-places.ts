import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { listPlaces, Places, PlacesQuery } from '#lib/listings/search/places'
import { searchReplica } from '#lib/listings/search/replica.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /places',
  summary: 'List cities and districts with public listings',
  description:
    'For the field where people type a place. Each word of `q` is the beginning of a word of the city’s name; a district is ' +
    'found by the words of its city’s name, too. Places with the most listings come first; a city counts all its districts.',
  access: 'public',
  input: { query: PlacesQuery },
  output: { 200: Places },
  problems: ['unavailable'],
  caching: 'without credential',
  deps: { replica: searchReplica, now: clock },
  run: ({ query }, deps) => listPlaces(deps, query),
})
