import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, UserId } from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'
import type { Commit, Write } from '#lib/kernel/write'

/** The most favourites of a person. */
export const FAVOURITES_MAX = 500

/** A listing that a person saved, with the listing's price at that time. */
export const Favourite = z.object({
  userId: UserId,
  listingId: ListingId,
  savedAt: Timestamp,
  savedPrice: Money,
})
export type Favourite = z.infer<typeof Favourite>

/** Stores favourites. Reads are consistent; writes are values for `commit`. */
export type FavouriteStore = {
  get: (userId: UserId, id: ListingId) => Promise<Favourite | undefined>
  /** All favourites of a person, newest first: one query. */
  ofUser: (userId: UserId) => Promise<Favourite[]>
  /** Stores and counts a new favourite; `favourite_limit_reached` beyond 500 of a person, simultaneous ones included. */
  insert: (favourite: Favourite) => Write[]
  remove: (favourite: Favourite) => Write[]
  commit: Commit
}

export type FavouriteReader = Pick<FavouriteStore, 'get' | 'ofUser'>
