import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { SavedSearchId } from '#lib/kernel/id'
import { changeSavedSearch } from '#lib/saved-searches/manage-saved-searches'
import { matches } from '#lib/saved-searches/match-store.dynamo'
import { searches } from '#lib/saved-searches/saved-search-store.dynamo'
import { SavedSearchChange, SavedSearchView } from '#lib/saved-searches/saved-search-view'

export const { spec, handler } = endpoint({
  route: 'PATCH /saved-searches/{id}',
  summary: 'Change a saved search',
  description:
    'Filters are replaced whole. After new filters, or once alerts are switched on, only later changes of listings match.',
  access: user,
  input: { params: { id: SavedSearchId }, body: SavedSearchChange },
  output: { 200: SavedSearchView },
  deps: { searches, matches, now: clock },
  run: ({ actor, params, body }, deps) => changeSavedSearch(deps, actor.userId, params.id, body),
})
