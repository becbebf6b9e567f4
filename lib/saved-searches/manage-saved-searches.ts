import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { rereadByRegistration } from '#lib/accounts/reread-caller'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { DomainError } from '#lib/kernel/domain-error'
import { type NewId, SavedSearchId, type UserId } from '#lib/kernel/id'
import type { Once } from '#lib/kernel/once'
import { answerPage, type PageQuery } from '#lib/kernel/page'
import { retryConflicts } from '#lib/kernel/retry'
import type { MatchStore, SavedSearch, SavedSearchReader, SavedSearchStore } from './saved-search.ts'
import {
  type NewSavedSearch,
  type SavedSearchChange,
  type SavedSearchView,
  viewSavedSearch,
} from './saved-search-view.ts'

type Deps = {
  searches: SavedSearchStore
  accounts: AccountReader
  now: Clock
  newId: NewId
  once: Once<SavedSearchView>
}

/** Saves a search. It matches listings that become public or begin to fit later. Throws `saved_search_limit_reached`. */
export async function createSavedSearch(
  { searches, accounts, now, newId, once }: Deps,
  caller: Account,
  { name, filters, alert }: z.output<typeof NewSavedSearch>,
): Promise<SavedSearchView> {
  const at = timestamp(now())
  const search: SavedSearch = {
    id: newId('savedSearch'),
    userId: caller.id,
    name,
    filters: withoutUndefined(filters),
    alert,
    createdAt: at,
    lastAlertAt: null,
    since: at,
    sentUpTo: at,
    version: 1,
  }
  const view = viewSavedSearch(search)
  return retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByRegistration({ accounts }, caller) : caller
    await searches.commit([
      ...once.receipt(view),
      ...searches.insert(search),
      accounts.requireUnchanged(account),
    ])
    return view
  })
}

/** Lists a person's searches, newest first: one query. */
export const listSavedSearches = (
  { searches, cursors }: { searches: SavedSearchReader; cursors: Cursors },
  userId: UserId,
  { limit, cursor }: z.output<typeof PageQuery>,
) =>
  answerPage(
    cursors,
    { list: `saved searches of ${userId}`, filters: {}, position: SavedSearchId },
    cursor,
    async (after) => {
      const all = await searches.ofUser(userId)
      const left = after === undefined ? all : all.filter(({ id }) => id < after)
      const items = left.slice(0, limit)
      return {
        items: items.map(viewSavedSearch),
        next: left.length > limit ? items.at(-1)?.id : undefined,
      }
    },
  )

/** Returns a search of a person. Throws `not_found`. */
export const getSavedSearch = async (
  { searches }: { searches: SavedSearchReader },
  userId: UserId,
  id: SavedSearchId,
): Promise<SavedSearchView> => viewSavedSearch(await ownSearch(searches, userId, id))

/** Changes a search. New filters, and an alert that is switched on, match only later changes. Throws `not_found`. */
export const changeSavedSearch = (
  {
    searches,
    matches,
    now,
  }: Pick<Deps, 'now'> & {
    searches: SavedSearchStore
    matches: MatchStore
  },
  userId: UserId,
  id: SavedSearchId,
  change: z.output<typeof SavedSearchChange>,
): Promise<SavedSearchView> =>
  retryConflicts(async () => {
    const seen = await ownSearch(searches, userId, id)
    const changed: SavedSearch = {
      ...seen,
      name: change.name ?? seen.name,
      filters: change.filters ? withoutUndefined(change.filters) : seen.filters,
      alert: change.alert ?? seen.alert,
      version: seen.version + 1,
    }
    const restartsMatching =
      !isDeepStrictEqual(changed.filters, seen.filters) || (seen.alert === 'off' && changed.alert !== 'off')
    // `sentUpTo` may stay: a match before `since` is never sent.
    const next = restartsMatching ? { ...changed, since: timestamp(now()) } : changed
    const [waiting] = await Promise.all([
      matches.matchesAfter(id, seen.sentUpTo),
      searches.commit(searches.replace(seen, next)),
    ])
    // A match before `since` waits for no alert any more, and would keep the search from finding its listing again.
    await matches.forget(waiting.map(({ match }) => match).filter(({ at }) => at < next.since))
    return viewSavedSearch(next)
  })

/** Removes a search and its matches. Throws `not_found`. */
export const deleteSavedSearch = (
  {
    searches,
    matches,
  }: {
    searches: SavedSearchStore
    matches: MatchStore
  },
  userId: UserId,
  id: SavedSearchId,
): Promise<void> =>
  retryConflicts(async () => {
    const seen = await ownSearch(searches, userId, id)
    // First the search, so that later runs find no further matches for it.
    await searches.commit(searches.remove(seen))
    await matches.removeOf(id)
  })

async function ownSearch(
  searches: SavedSearchReader,
  userId: UserId,
  id: SavedSearchId,
): Promise<SavedSearch> {
  const search = await searches.get(userId, id)
  if (!search) throw new DomainError('not_found')
  return search
}

const withoutUndefined = (filters: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
