import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { SavedSearchId } from '#lib/kernel/id'
import { getSavedSearch } from '#lib/saved-searches/manage-saved-searches'
import { savedSearchReader } from '#lib/saved-searches/saved-search-store.dynamo'
import { SavedSearchView } from '#lib/saved-searches/saved-search-view'

export const { spec, handler } = endpoint({
  route: 'GET /saved-searches/{id}',
  summary: 'A saved search',
  description: 'A saved search of another person is a 404.',
  access: user,
  input: { params: { id: SavedSearchId } },
  output: { 200: SavedSearchView },
  deps: { searches: savedSearchReader },
  run: ({ actor, params }, deps) => getSavedSearch(deps, actor.userId, params.id),
})
