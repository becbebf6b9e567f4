import { shardOf } from '#lib/dynamo/lists'
import type { ListingId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The counts of a day, spread over shards by who is counted, so that simultaneous counts do not conflict. */
export const statisticsKey = (id: ListingId, by: string, day: string): Key => ({
  pk: `STATISTICS#${id}#${shardOf(by)}`,
  sk: day,
})

/** The partitions of a listing's counts. */
export const statisticsList = (id: ListingId): string => `STATISTICS#${id}`

/** Marks that a network looked at a listing. A network has another mark every day. */
export const listingViewKey = (mark: string, id: ListingId): Key => ({ pk: `VIEWS#${mark}`, sk: id })
