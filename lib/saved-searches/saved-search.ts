import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, SavedSearchId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import { Listing } from '#lib/listings/listing'

/** The most saved searches of a person. */
export const SAVED_SEARCHES_MAX = 20

/** The time at which the owner of a search is notified of its matches. */
export const Alert = z.enum(['instant', 'daily', 'off']).meta({ id: 'Alert' })
export type Alert = z.infer<typeof Alert>

/** A search that a person saved. Its filters are stored as JSON: a later version of the service may know others. */
export const SavedSearch = z.object({
  id: SavedSearchId,
  userId: UserId,
  name: z.string(),
  filters: z.record(z.string(), z.unknown()),
  alert: Alert,
  createdAt: Timestamp,
  lastAlertAt: Timestamp.nullable(),
  /** Only changes of listings after this moment are matched. */
  since: Timestamp,
  /** The sort key, time and listing, of the last match that was sent; a time alone before the first. */
  sentUpTo: z.string(),
  version: z.int(),
})
export type SavedSearch = z.infer<typeof SavedSearch>

/** The fields of a search with alerts that matching needs. */
export const AlertedSearch = SavedSearch.pick({
  id: true,
  userId: true,
  filters: true,
  alert: true,
  since: true,
})
export type AlertedSearch = z.infer<typeof AlertedSearch>

/** A listing that a search found, and when. */
export const Match = z.object({ searchId: SavedSearchId, listingId: ListingId, at: Timestamp })
export type Match = z.infer<typeof Match>

/** Stores saved searches. Reads are consistent; writes are values for `commit`. */
export type SavedSearchStore = {
  get: (userId: UserId, id: SavedSearchId) => Promise<SavedSearch | undefined>
  /** All searches of a person, newest first: one query. */
  ofUser: (userId: UserId) => Promise<SavedSearch[]>
  /** Stores and counts a new search; `saved_search_limit_reached` beyond 20 of a person, simultaneous ones included. */
  insert: (search: SavedSearch) => Write[]
  /** Replaces a search; a `WriteConflict` if its version is not the seen one. */
  replace: (seen: SavedSearch, next: SavedSearch) => Write[]
  /** Removes a search; a `WriteConflict` if its version is not the seen one. */
  remove: (seen: SavedSearch) => Write[]
  commit: Commit
}

/**
 * A listing that became public or changed. `before` is the listing without its media; null if it was not public. A listing
 * may change twice at one time, by two clocks, so `version` tells its changes apart; an older entry may lack it.
 */
export const ChangedListing = z.object({
  listingId: ListingId,
  version: z.int().optional(),
  at: Timestamp,
  before: Listing.nullable(),
})
export type ChangedListing = z.infer<typeof ChangedListing>

/** An alert that is due. */
export const DueAlert = z.object({ userId: UserId, searchId: SavedSearchId, at: Timestamp })
export type DueAlert = z.infer<typeof DueAlert>

/** Stores the matches of saved searches, and the listings and alerts that wait for the next run. */
export type MatchStore = {
  /** Adds a listing to those that the next run matches. */
  addChanged: (changed: ChangedListing) => Write
  /** The oldest listings that are to be matched: a query for each shard. */
  changed: (limit: number) => Promise<ChangedListing[]>
  /** Removes listings from those to be matched. */
  dropChanged: (changed: readonly ChangedListing[]) => Promise<void>
  /** Searches with alerts that name a country; for null, those that name none. */
  alerted: (
    country: string | null,
    page: { limit: number; after: string | undefined },
  ) => Promise<Page<AlertedSearch, string>>
  /** Stores a match and its due alert; a `WriteConflict` if the search found the listing before. */
  add: (match: Match, due: DueAlert) => Write[]
  /** Matches that a search found after the one with a sort key, oldest first. */
  matchesAfter: (id: SavedSearchId, after: string) => Promise<{ match: Match; sortKey: string }[]>
  /** Forgets matches, so that the search can find their listings again. */
  forget: (matches: readonly Match[]) => Promise<void>
  /** Alerts that are due by a moment: a query for each shard. */
  due: (by: Timestamp, limit: number) => Promise<DueAlert[]>
  /** Takes a due alert off the list; a `WriteConflict` if another run has taken it. */
  takeDue: (due: DueAlert) => Write
  /** Removes all matches of a search. */
  removeOf: (id: SavedSearchId) => Promise<void>
  commit: Commit
}

export type SavedSearchReader = Pick<SavedSearchStore, 'get' | 'ofUser'>
