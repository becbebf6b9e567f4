import { onTable, type Table } from '#lib/dynamo/table'
import { DomainError } from '#lib/kernel/domain-error'
import type { Write } from '#lib/kernel/write'
import { alertKey, savedSearchCountKey, savedSearchesQuery, savedSearchKey } from './saved-search.keys.ts'
import {
  AlertedSearch,
  SAVED_SEARCHES_MAX,
  SavedSearch,
  type SavedSearchReader,
  type SavedSearchStore,
} from './saved-search.ts'

/** The country under which searches without one are listed: they are alerted for listings of every country. */
export const ANY_COUNTRY = '*'

/** Opens the saved searches in the one table. */
export const openSavedSearches = (table: Table): SavedSearchStore => ({
  get: async (userId, id) => {
    const item = await table.get(savedSearchKey(userId, id))
    return item && SavedSearch.parse(item)
  },
  ofUser: async (userId) => {
    const items = await table.queryAll({
      ...savedSearchesQuery(userId),
      consistent: true,
      descending: true,
    })
    return items.map((item) => SavedSearch.parse(item))
  },
  insert: (search) => [
    table.put(itemOf(search), { when: 'absent' }),
    ...alertWrites(table, undefined, search),
    table.update(savedSearchCountKey(search.userId), {
      set: { kind: 'saved-search-count' },
      add: { count: 1 },
      when: { absentOrBelow: { attribute: 'count', value: SAVED_SEARCHES_MAX } },
      otherwise: () =>
        new DomainError('saved_search_limit_reached', {
          detail: `There may be ${SAVED_SEARCHES_MAX} saved searches`,
        }),
    }),
  ],
  replace: (seen, next) => [
    table.put(itemOf(next), { when: { equals: { version: seen.version } } }),
    ...alertWrites(table, seen, next),
  ],
  remove: (seen) => [
    table.remove(savedSearchKey(seen.userId, seen.id), { when: { equals: { version: seen.version } } }),
    ...alertWrites(table, seen, undefined),
    table.update(savedSearchCountKey(seen.userId), { set: {}, add: { count: -1 } }),
  ],
  commit: table.commit,
})

const itemOf = (search: SavedSearch) => ({
  ...savedSearchKey(search.userId, search.id),
  kind: 'saved-search',
  ...search,
})

/** Returns the writes of the entry by which a changed listing finds the search. A search without alerts has none. */
function alertWrites(table: Table, seen: SavedSearch | undefined, next: SavedSearch | undefined): Write[] {
  const [before, after] = [entryKeyOf(seen), entryKeyOf(next)]
  // Only the partition can differ, by the country: both sort keys are the search's id.
  return [
    ...(before && before.pk !== after?.pk ? [table.remove(before)] : []),
    ...(after && next ? [table.put({ ...after, kind: 'alerted-search', ...AlertedSearch.parse(next) })] : []),
  ]
}

const entryKeyOf = (search: SavedSearch | undefined) => {
  if (!search || search.alert === 'off') return undefined
  const { country } = search.filters
  return alertKey(typeof country === 'string' ? country : ANY_COUNTRY, search.id)
}

/** The saved searches as a dependency. */
export const searches = onTable(openSavedSearches, {
  reads: ['SAVED-SEARCHES'],
  writes: ['ALERTS', 'SAVED-SEARCHES'],
})

export const savedSearchReader = onTable((table): SavedSearchReader => openSavedSearches(table), {
  reads: ['SAVED-SEARCHES'],
})
