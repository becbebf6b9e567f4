import { shardedKey } from '#lib/dynamo/lists'
import type { ListingId, SavedSearchId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The saved searches of a person. The same partition holds their number, under `COUNT`. */
export const savedSearchesQuery = (userId: UserId) => ({
  partition: `SAVED-SEARCHES#${userId}`,
  beginsWith: 'SEARCH#',
})

export const savedSearchKey = (userId: UserId, id: SavedSearchId): Key => ({
  pk: `SAVED-SEARCHES#${userId}`,
  sk: `SEARCH#${id}`,
})

export const savedSearchCountKey = (userId: UserId): Key => ({ pk: `SAVED-SEARCHES#${userId}`, sk: 'COUNT' })

/** The list of searches with alerts, by the country of their filters. */
export const alertsList = (country: string): string => `ALERTS#${country}`

export const alertKey = (country: string, id: SavedSearchId): Key => shardedKey(alertsList(country), id)

/** The listings that became public or changed and are to be matched, oldest first. */
export const changedListingsList = (): string => 'LISTINGS-TO-MATCH'

/** The entry of a version of a changed listing. An older entry may lack the version, see `ChangedListing`. */
export const changedListingKey = (at: string, id: ListingId, version?: number): Key =>
  shardedKey(changedListingsList(), [at, id, ...(version === undefined ? [] : [version])].join('#'))

/** Marks that a search has found a listing. */
export const matchKey = (id: SavedSearchId, listing: ListingId): Key => ({
  pk: `MATCHES#${id}`,
  sk: `LISTING#${listing}`,
})

/** The matches of a search in the order in which they were found. */
export const matchByTimeKey = (id: SavedSearchId, at: string, listing: ListingId): Key => ({
  pk: `MATCHES#${id}`,
  sk: `${at}#${listing}`,
})

/** Everything that a search found. */
export const matchesQuery = (id: SavedSearchId) => ({ partition: `MATCHES#${id}`, beginsWith: 'LISTING#' })

/**
 * The range of the matches that were found after the match with this sort key. A range includes its ends: `~` leaves out that
 * match itself. `9` sorts after every time, and before the `LISTING#` of the other keys.
 */
export const matchesAfterRange = (after: string): [string, string] => [`${after}~`, '9']

/** The list of alerts to send, by the time at which they are due. */
export const dueAlertsList = (): string => 'ALERTS-DUE'

export const dueAlertKey = (at: string, id: SavedSearchId): Key => shardedKey(dueAlertsList(), `${at}#${id}`)
