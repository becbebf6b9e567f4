import { shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { HOUR_SECONDS, secondsAfter, unixSeconds } from '#lib/kernel/clock'
import { listingViewKey, statisticsKey, statisticsList } from './statistics.keys.ts'
import { DayCounts, type StatisticsReader, type StatisticsStore } from './statistics.ts'

/** The time for which a network's mark is stored. It has another one every day, so its views of a listing count once a day. */
const MARK_SECONDS = 48 * HOUR_SECONDS

/** Opens the counts of listings in the one table. */
const openStatistics = (table: Table): StatisticsStore => ({
  count: (id, counted, at, shardedBy) =>
    table.update(statisticsKey(id, shardedBy, at.slice(0, 10)), {
      set: { kind: 'listing-statistics' },
      add: { [counted]: 1 },
    }),
  markView: (id, mark, at) =>
    table.put(
      {
        ...listingViewKey(mark, id),
        kind: 'listing-view',
        expiresAtSeconds: unixSeconds(secondsAfter(new Date(at), MARK_SECONDS)),
      },
      { when: 'absent' },
    ),
  days: async (id, from, to) => {
    const shards = await Promise.all(
      shardsOf(statisticsList(id)).map((partition) =>
        table.queryAll({ partition, between: [from, to], consistent: true }),
      ),
    )
    const days = new Map<string, DayCounts>()
    for (const item of shards.flat()) {
      const day = String(item['sk'])
      days.set(day, sumOf(DayCounts.parse(item), days.get(day)))
    }
    return days
  },
  commit: table.commit,
})

const sumOf = (one: DayCounts, other: DayCounts = DayCounts.parse({})): DayCounts => ({
  views: one.views + other.views,
  favourites: one.favourites + other.favourites,
  enquiries: one.enquiries + other.enquiries,
})

/** The counts of listings as a dependency. */
export const statistics = onTable(openStatistics, { reads: ['STATISTICS'], writes: ['STATISTICS', 'VIEWS'] })

export const statisticsReader = onTable((table): StatisticsReader => openStatistics(table), {
  reads: ['STATISTICS'],
})
