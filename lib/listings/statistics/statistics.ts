import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'

/** The counters of a listing, by UTC day. */
export const DayCounts = z.object({
  views: z.int().default(0),
  favourites: z.int().default(0),
  enquiries: z.int().default(0),
})
export type DayCounts = z.infer<typeof DayCounts>
type StatisticName = keyof DayCounts

/** Stores the counts of listings. Writes are values for `commit`. */
export type StatisticsStore = {
  /** Adds one to a counter of a day. `shardedBy`, a person's id or the `mark` of a network, only chooses the shard. */
  count: (id: ListingId, counted: StatisticName, at: Timestamp, shardedBy: string) => Write
  /** Marks that a network viewed a listing; a `WriteConflict` if it is marked already. `mark`: an HMAC of the network. */
  markView: (id: ListingId, mark: string, at: Timestamp) => Write
  /** Returns the counts of a span of days, both ends included; days without any are absent. One query for each shard. */
  days: (id: ListingId, from: string, to: string) => Promise<Map<string, DayCounts>>
  commit: Commit
}

export type StatisticsReader = Pick<StatisticsStore, 'days'>
