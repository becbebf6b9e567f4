import { user } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { listSavedSearches } from '#lib/saved-searches/manage-saved-searches'
import { savedSearchReader } from '#lib/saved-searches/saved-search-store.dynamo'
import { SavedSearchView } from '#lib/saved-searches/saved-search-view'

export const { spec, handler } = endpoint({
  route: 'GET /saved-searches',
  summary: 'The caller’s saved searches, newest first',
  description: 'Each with the time of its last alert.',
  access: user,
  input: { query: PageQuery },
  output: { 200: pageOf(SavedSearchView) },
  problems: ['invalid_cursor'],
  deps: { searches: savedSearchReader, cursors },
  run: ({ actor, query }, deps) => listSavedSearches(deps, actor.userId, query),
})
