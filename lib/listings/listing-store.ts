import type { Timestamp } from '#lib/kernel/clock'
import type { EventId, ListingId } from '#lib/kernel/id'
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
  insert: (listing: Listing) => Write
  /** Replaces the version that was seen; `version_conflict` when another has come since. */
  replace: (seen: Listing, next: Listing) => Write
  recordMove: (id: ListingId, move: ListingMove) => Write
  commit: Commit
}
