import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { EventId, type ListingId, type UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import { type Listing, ListingStatus } from './listing.ts'
import type { QueueList } from './queue-place.ts'

/** One entry of a listing's history. `by` is an administrator's subject, a user's id or `system`. */
export const ListingMove = z.object({
  id: EventId,
  from: ListingStatus,
  to: ListingStatus,
  at: Timestamp,
  by: z.string(),
  reasons: z.array(z.string()),
  message: z.string().nullable(),
  note: z.string().nullable(),
})
export type ListingMove = z.infer<typeof ListingMove>

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
  /** A listing's moves, oldest first: one query for each megabyte of what was said with them, mostly one in all. */
  moves: (id: ListingId) => Promise<ListingMove[]>
  /**
   * What administrators' lists hold together, longest waiting first, as it is by now. As many queries as the lists
   * have partitions, and one read. What moved into a list within the last second may be missing.
   */
  queued: (
    lists: QueueList[],
    page: { limit: number; after: string | undefined },
  ) => Promise<Page<Listing, string>>
  insert: (listing: Listing) => Write
  /** Replaces the version that was seen; `WriteConflict` when another has come since. */
  replace: (seen: Listing, next: Listing) => Write
  recordMove: (id: ListingId, move: ListingMove) => Write
  commit: Commit
}
