import { queryMerged, queryShards, shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { DAY_SECONDS, secondsAfter, unixSeconds } from '#lib/kernel/clock'
import {
  alertsList,
  changedListingKey,
  changedListingsList,
  dueAlertKey,
  dueAlertsList,
  matchByTimeKey,
  matchesAfterRange,
  matchesQuery,
  matchKey,
} from './saved-search.keys.ts'
import { AlertedSearch, ChangedListing, DueAlert, Match, type MatchStore } from './saved-search.ts'
import { ANY_COUNTRY } from './saved-search-store.dynamo.ts'

/** The time for which a match is listed for an alert; no alert waits longer. */
const FOUND_SECONDS = 30 * DAY_SECONDS

const keyOfChange = ({ at, listingId, version }: ChangedListing) => changedListingKey(at, listingId, version)

/** Removes both entries of each match: by its listing and by its time. */
const removalsOf = (matches: readonly Match[]) =>
  matches.flatMap(({ searchId, listingId, at }) => [
    { remove: matchByTimeKey(searchId, at, listingId) },
    { remove: matchKey(searchId, listingId) },
  ])

/** Opens the matches of saved searches in the one table. */
const openMatches = (table: Table): MatchStore => ({
  addChanged: (changed) =>
    table.put({
      ...keyOfChange(changed),
      kind: 'changed-listing',
      ...changed,
      // A search does not compare media.
      before: changed.before && { ...changed.before, media: {} },
    }),
  changed: async (limit) => {
    const { items } = await queryShards(table, changedListingsList(), { limit, after: undefined })
    return items.map((item) => ChangedListing.parse(item))
  },
  dropChanged: (changed) => table.writeEach(changed.map((each) => ({ remove: keyOfChange(each) }))),
  alerted: async (country, page) => {
    const { items, next } = await queryMerged(table, shardsOf(alertsList(country ?? ANY_COUNTRY)), page)
    return { items: items.map((item) => AlertedSearch.parse(item)), next }
  },
  add: (match, due) => {
    const { searchId, listingId, at } = match
    const expiresAtSeconds = unixSeconds(secondsAfter(new Date(at), FOUND_SECONDS))
    return [
      // Stays, so that the search finds the listing once; the entry for the alert expires.
      table.put({ ...matchKey(searchId, listingId), kind: 'match', ...match }, { when: 'absent' }),
      table.put({ ...matchByTimeKey(searchId, at, listingId), kind: 'found', ...match, expiresAtSeconds }),
      table.put({ ...dueAlertKey(due.at, searchId), kind: 'due-alert', ...due }),
    ]
  },
  matchesAfter: async (id, after) => {
    const items = await table.queryAll({
      partition: matchesQuery(id).partition,
      between: matchesAfterRange(after),
      consistent: true,
    })
    return items.map((item) => ({ match: Match.parse(item), sortKey: String(item['sk']) }))
  },
  forget: (matches) => table.writeEach(removalsOf(matches)),
  due: async (by, limit) => {
    const { items } = await queryShards(table, dueAlertsList(), { limit, after: undefined })
    return items.map((item) => DueAlert.parse(item)).filter(({ at }) => at <= by)
  },
  takeDue: ({ at, searchId }) => table.remove(dueAlertKey(at, searchId), { when: 'present' }),
  removeOf: async (id) => {
    const items = await table.queryAll({ ...matchesQuery(id), consistent: true })
    await table.writeEach(removalsOf(items.map((item) => Match.parse(item))))
  },
  commit: table.commit,
})

/** The matches as a dependency. */
export const matches = onTable(openMatches, {
  reads: ['ALERTS', 'ALERTS-DUE', 'LISTINGS-TO-MATCH', 'MATCHES'],
  writes: ['ALERTS-DUE', 'LISTINGS-TO-MATCH', 'MATCHES'],
})
