import { shardOf } from '#lib/dynamo/lists'
import type { ListingId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The sharded list of a listing's counts, see `shardsOf`. */
export const statisticsList = (id: ListingId): string => `STATISTICS#${id}`

/** The counts of a day. `shardedBy` only chooses the shard, so that simultaneous counts do not conflict. */
export const statisticsKey = (id: ListingId, shardedBy: string, day: string): Key => ({
  pk: `${statisticsList(id)}#${shardOf(shardedBy)}`,
  sk: day,
})

/** Marks that a network looked at a listing. A network has another mark every day. */
export const listingViewKey = (mark: string, id: ListingId): Key => ({ pk: `VIEWS#${mark}`, sk: id })
