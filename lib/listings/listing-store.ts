import type { Timestamp } from '#lib/kernel/clock'
import type { EventId, ListingId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Listing, ListingStatus } from './listing.ts'

/** One entry of a listing's history. `by` is an administrator's subject, a user's id or `system`. */
export type ListingMove = {
  id: EventId
  from: ListingStatus
  to: ListingStatus
  at: Timestamp
  by: string
  reasons: string[]
  message: string | null
  note: string | null
}

/** Where listings live. Reads are consistent; writes are values for `commit`. */
export type ListingStore = {
  get: (id: ListingId) => Promise<Listing | undefined>
  /**
   * An agent's listings as they are, newest first, at most 100 a page: one query and one read. A listing made
   * within the last second may be missing.
   */
  byAgent: (
    agentId: UserId,
    page: { limit: number; after: ListingId | undefined },
  ) => Promise<Page<Listing, ListingId>>
  /** At most 100, in no particular order; those that are not there are left out. */
  getMany: (ids: ListingId[]) => Promise<Listing[]>
  insert: (listing: Listing) => Write
  /** Replaces the version that was seen; `version_conflict` when another has come since. */
  replace: (seen: Listing, next: Listing) => Write
  recordMove: (id: ListingId, move: ListingMove) => Write
  commit: Commit
}
