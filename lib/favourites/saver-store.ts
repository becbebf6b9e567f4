import * as z from 'zod'
import { DomainEvent } from '#lib/events/event'
import { Timestamp } from '#lib/kernel/clock'
import { EventId, ListingId, UserId } from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'

/** Someone who saved a listing, and when. */
export const Saver = z.object({ userId: UserId, savedAt: Timestamp })
export type Saver = z.infer<typeof Saver>

/** The savers to notify of an event by one call: the next hundred of a shard, by id, beginning after `after`. */
export const SaversPiece = z.object({
  event: DomainEvent,
  listingId: ListingId,
  shard: z.int(),
  after: UserId.nullable(),
  /** The first of the events that share a notification, see `Reduction`; of any other event its own id. */
  first: EventId,
})
export type SaversPiece = z.infer<typeof SaversPiece>

/** The change of a saved listing that its savers are notified of. */
export type FavouriteChange =
  | { change: 'PRICE_REDUCED'; from: Money; to: Money }
  | { change: 'TAKEN' | 'GONE'; from: null; to: null }

/** The reductions of a listing's price on one UTC day, as its savers are notified of them: in one notification. */
export const Reduction = z.object({
  /** The event and the time of the first one. */
  first: EventId,
  at: Timestamp,
  /** The price before the first one, and the lowest after it. */
  from: Money,
  to: Money,
})
export type Reduction = z.infer<typeof Reduction>

/** The last change of a listing that was announced to its savers. */
export const AnnouncedChange = z.object({
  /** The version of the listing that the change made. */
  version: z.int(),
  /** The reductions of the last day on which there were any. */
  reduction: Reduction.nullable(),
})
export type AnnouncedChange = z.infer<typeof AnnouncedChange>

/** Reads the savers of listings, and stores the pieces in which they are notified. */
export type SaverStore = {
  /** The number of shards over which the savers of a listing are spread. */
  shardCount: number
  /** Savers of one shard, in the order of their ids. */
  list: (
    id: ListingId,
    shard: number,
    page: { limit: number; after: UserId | undefined },
  ) => Promise<Page<Saver, UserId>>
  announcedChange: (id: ListingId) => Promise<AnnouncedChange | undefined>
  /** Stores the change that is announced; `WriteConflict` if another one was announced since `seen`. */
  setAnnouncedChange: (id: ListingId, seen: AnnouncedChange | undefined, next: AnnouncedChange) => Write
  /** Adds a piece, which by the table's stream reaches `notifySavers`; `WriteConflict` if it was added before. */
  addPiece: (piece: SaversPiece, now: Date) => Write
  commit: Commit
}
