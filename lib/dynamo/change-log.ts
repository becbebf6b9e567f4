import { DAY_MILLISECONDS, HOUR_MILLISECONDS } from '#lib/kernel/clock'
import type { Write } from '#lib/kernel/write'
import { changeLogKey, changeLogPartitions } from './dynamo.keys.ts'
import type { Item } from './item.ts'
import { onTable, type Table } from './table.ts'

/** The time for which a change stays in the log. */
export const LOG_KEPT_MILLISECONDS = 2 * DAY_MILLISECONDS

/** An item stays an hour longer than it is read, so that its removal is never visible to a reader. */
const SLACK_MILLISECONDS = HOUR_MILLISECONDS

/**
 * Returns the write that logs a change of a subject, for the transaction that makes the change. The time is the
 * machine's, as late as possible before the commit, since readers read the log by time. Of two changes of one subject the
 * higher version wins.
 */
export function logChange(table: Table, subject: string, version: number, values: Item): Write {
  const now = Date.now()
  const expiresAtSeconds = Math.ceil((now + LOG_KEPT_MILLISECONDS + SLACK_MILLISECONDS) / 1000)
  const key = changeLogKey(new Date(now).toISOString(), subject, version)
  return table.put({ ...key, kind: 'search-change', subject, version, ...values, expiresAtSeconds })
}

/** The log of changes, read consistently. Moments are milliseconds since 1970. */
type ChangeLog = {
  /** Every change since a moment, in order of time within a subject: a query for each partition of each day, at once. */
  since: (from: number) => Promise<Item[]>
  /** Counts the changes since a moment, at most `limit` in each partition. */
  countSince: (from: number, limit: number) => Promise<number>
}

/** Opens the log in the one table. */
export const openChangeLog = (table: Table): ChangeLog => {
  const queries = (from: number) =>
    daysSince(from).flatMap((day) =>
      changeLogPartitions(day).map((partition) => ({
        partition,
        // `~` sorts after every time, and so after the last change.
        between: [new Date(from).toISOString(), '~'] as const,
        consistent: true,
      })),
    )
  return {
    since: async (from) => {
      const parts = await Promise.all(queries(from).map((query) => table.queryAll(query)))
      return parts.flat()
    },
    countSince: async (from, limit) => {
      const counts = await Promise.all(queries(from).map((query) => table.count({ ...query, limit })))
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}

/**
 * Returns the days from a moment to today, each by its first moment. Shortly before midnight, tomorrow is among them, since
 * a writer's clock may be ahead.
 */
function daysSince(from: number): string[] {
  const days: string[] = []
  const end = Date.now() + CLOCK_DIFFERENCE_MILLISECONDS
  for (let at = from - (from % DAY_MILLISECONDS); at <= end; at += DAY_MILLISECONDS) {
    days.push(new Date(at).toISOString())
  }
  return days
}

/** The most by which clocks of functions differ. */
const CLOCK_DIFFERENCE_MILLISECONDS = 5_000

/** The log of changes, as a dependency of functions. */
export const changeLog = onTable(openChangeLog, { reads: ['SEARCH-LOG'] })
