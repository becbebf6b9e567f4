import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { EventId, type ListingId, type MediaId, type UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import { Availability, type Listing, ListingStatus } from './listing.ts'
import type { ListingCounts } from './listing-counts.ts'
import type { QueueList } from './review/queue-place.ts'

/** One entry of a listing's history. `by` is an administrator's subject, a user's id or `system`. */
export const ListingMove = z.object({
  id: EventId,
  field: z.enum(['status', 'availability']).default('status'),
  from: z.union([ListingStatus, Availability]).meta({ example: 'PENDING_REVIEW' }),
  to: z.union([ListingStatus, Availability]),
  at: Timestamp,
  by: z.string(),
  reasons: z.array(z.string()).meta({ example: [] }),
  message: z.string().nullable(),
  note: z.string().nullable(),
})
export type ListingMove = z.infer<typeof ListingMove>

/** A move of a listing from one status to another; `from` is undefined for a new listing. */
type CountedMove = { from: ListingStatus | undefined; to: ListingStatus }

/** The values that an agent's counters must be below for a move to be counted; `total` counts every listing. */
export type CountLimits = { [Name in ListingStatus | 'total']?: number }

/** An agent's counters with `total`, which counts every listing. */
export type StoredCounts = { [Name in ListingStatus | 'total']: number | undefined }

/** Stores listings. Reads are consistent; writes are values for `commit`. */
export type ListingStore = {
  get: (id: ListingId) => Promise<Listing | undefined>
  /**
   * An agent's listings, newest first, at most 100 a page, in their current state: one query and one read. A listing made
   * within the last second may be missing.
   */
  byAgent: (
    agentId: UserId,
    page: { limit: number; after: ListingId | undefined },
  ) => Promise<Page<Listing, ListingId>>
  /** Returns at most 100, in no particular order; missing ones are left out. */
  getMany: (ids: ListingId[]) => Promise<Listing[]>
  /** The agent's listing that has a reference and is not archived. */
  byReference: (agentId: UserId, reference: string) => Promise<Listing | undefined>
  /** Returns at most 100 listings, each once, with a title word that begins with a text: lower case, without accents. */
  titled: (beginning: string) => Promise<Listing[]>
  /** The listing that an item of media is part of. */
  ofMedia: (id: MediaId) => Promise<Listing | undefined>
  /** One entry of a listing's history, by the id of its event. */
  move: (id: ListingId, moveId: EventId) => Promise<ListingMove | undefined>
  /** A listing's moves, oldest first: one query for each megabyte of them. */
  moves: (id: ListingId) => Promise<ListingMove[]>
  /**
   * Reads several of the administrators' lists as one, longest waiting first, each listing in its current state. One
   * query for each partition of the lists, and one read. The lists may lack the moves of the last second.
   */
  queued: (
    lists: QueueList[],
    page: { limit: number; after: string | undefined },
  ) => Promise<Page<Listing, string>>
  /** Inserts a listing and claims its reference; `WriteConflict` when another listing has it. */
  insert: (listing: Listing) => Write[]
  /**
   * Replaces a listing; `WriteConflict` if its version is not the seen one, or another listing has the new reference. An
   * archived listing frees its reference. The next search finds the change.
   */
  replace: (seen: Listing, next: Listing) => Write[]
  /**
   * Changes only the media of a listing; `WriteConflict` if one of the changed items, the status or the revision has
   * changed. A change that begins or ends a revision, or after which less waits in it, conflicts with every other change.
   */
  changeMedia: (seen: Listing, next: Listing) => Write
  /** Records which listing an item of media belongs to, so that the item's id finds the listing. */
  nameMedia: (id: ListingId, mediaId: MediaId) => Write
  recordMove: (id: ListingId, move: ListingMove) => Write
  /** An agent's listings by status, counted with every move. */
  counts: (agentId: UserId) => Promise<ListingCounts>
  /** An agent's counters as they are stored; undefined before the first count. */
  storedCounts: (agentId: UserId) => Promise<StoredCounts | undefined>
  /** Replaces an agent's counters; `WriteConflict` when a listing has moved since they were read. */
  setCounts: (agentId: UserId, seen: StoredCounts | undefined, counts: ListingCounts) => Write
  /** Counts a listing that moves; `WriteConflict` if a limit is reached. */
  countMove: (agentId: UserId, move: CountedMove, limits?: CountLimits) => Write
  /**
   * Returns how often the owner has set the availability. The hold of a payment stores the number, to see later whether it
   * has risen.
   */
  availabilityCalls: (id: ListingId) => Promise<number>
  /** Requires that the owner has set the availability exactly `calls` times; `WriteConflict` otherwise. */
  requireAvailabilityCalls: (id: ListingId, calls: number) => Write
  /** Makes a transaction a `WriteConflict` unless the listing still has the status that was seen. */
  requireStatus: (seen: Listing) => Write
  /** Counts a call that sets the availability. */
  countAvailabilityCall: (id: ListingId) => Write
  commit: Commit
}

/** Reads records of listings, and makes other records' transactions depend on the status of one. */
export type ListingReader = Pick<
  ListingStore,
  | 'get'
  | 'getMany'
  | 'byAgent'
  | 'byReference'
  | 'titled'
  | 'ofMedia'
  | 'move'
  | 'moves'
  | 'queued'
  | 'counts'
  | 'storedCounts'
  | 'availabilityCalls'
  | 'requireAvailabilityCalls'
  | 'requireStatus'
>
