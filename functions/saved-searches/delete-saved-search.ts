import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { SavedSearchId } from '#lib/kernel/id'
import { deleteSavedSearch } from '#lib/saved-searches/manage-saved-searches'
import { matches } from '#lib/saved-searches/match-store.dynamo'
import { searches } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'DELETE /saved-searches/{id}',
  summary: 'Delete a saved search',
  description: 'Its matches are deleted, too.',
  access: user,
  input: { params: { id: SavedSearchId } },
  output: { 204: null },
  deps: { searches, matches },
  run: ({ actor, params }, deps) => deleteSavedSearch(deps, actor.userId, params.id),
})
