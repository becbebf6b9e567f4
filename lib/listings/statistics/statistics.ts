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
export type StatisticName = keyof DayCounts

/** Stores the counts of listings. Writes are values for `commit`. */
export type StatisticsStore = {
  /** Counts one. `by` spreads the counts: who did it, or a network's mark. */
  count: (id: ListingId, counted: StatisticName, at: Timestamp, by: string) => Write
  /** Marks that a network looked at a listing; a `WriteConflict` where it did before on that day. */
  markView: (id: ListingId, mark: string, at: Timestamp) => Write
  /** Returns the counts of the days from one to another, both included, that have any: a query for each shard. */
  days: (id: ListingId, from: string, to: string) => Promise<Map<string, DayCounts>>
  commit: Commit
}
