import * as z from 'zod'
import { DomainEvent } from '#lib/events/event'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, UserId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
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
})
export type SaversPiece = z.infer<typeof SaversPiece>

/** The change of a saved listing that its savers are notified of. */
export type FavouriteChange =
  | { change: 'PRICE_REDUCED'; from: Money; to: Money }
  | { change: 'TAKEN' | 'GONE'; from: null; to: null }

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
  /** Marks that a version of a listing is announced; `WriteConflict` if it was announced before. */
  markChange: (id: ListingId, version: number) => Write
  /** Adds a piece, which by the table's stream reaches `notifySavers`; `WriteConflict` if it was added before. */
  addPiece: (piece: SaversPiece, now: Date) => Write
  commit: Commit
}
