import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { createSavedSearch } from '#lib/saved-searches/manage-saved-searches'
import { searches } from '#lib/saved-searches/saved-search-store.dynamo'
import { NewSavedSearch, SavedSearchView } from '#lib/saved-searches/saved-search-view'

export const { spec, handler } = endpoint({
  route: 'POST /saved-searches',
  summary: 'Save a search',
  description:
    'Its filters are the parameters of `GET /listings` by name, as JSON. From now on each listing that becomes public or ' +
    'begins to fit matches once, but never the caller’s own. A person may have 20 saved searches.',
  access: user,
  input: { body: NewSavedSearch },
  output: { 201: SavedSearchView },
  location: '/saved-searches/',
  problems: ['saved_search_limit_reached'],
  idempotency: recorded,
  deps: { searches, accounts: accountReader, now: clock, newId: ids },
  run: async ({ actor, body }, { once, ...deps }) => {
    const replyOf = (search: SavedSearchView) => ({ status: 201, body: search }) as const
    // `once` comes with `idempotency: recorded`. Returns the writes that store the reply together with the search.
    const receipt = (search: SavedSearchView) => once.receipt(replyOf(search))
    return replyOf(await createSavedSearch({ ...deps, once: { receipt } }, actor.account, body))
  },
})
