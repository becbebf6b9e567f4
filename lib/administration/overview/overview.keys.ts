import { shardedKey, shardOf, shardsOf } from '#lib/dynamo/lists'
import type { Timestamp } from '#lib/kernel/clock'
import type { Key } from '#lib/kernel/write'

/** The share that a subject has in the counters. */
export const overviewShareKey = (subject: string): Key => ({ pk: `OVERVIEW-SHARE#${subject}`, sk: 'SHARE' })

/** The number of rows of a counter. Transactions on a row wait for each other: it takes some sixty of them a second. */
const ROWS = 16

/** One of the sixteen rows of a counter. A subject is always counted in the same row. */
export const overviewCounterKey = (counter: string, subject: string): Key => ({
  pk: `OVERVIEW#${shardOf(subject, ROWS)}`,
  sk: counter,
})

/** The partitions that hold the rows of all counters. */
export const overviewPartitions = (): string[] => shardsOf('OVERVIEW', ROWS)

/** The counter of the payments of a day in a currency and a status. */
export const paymentsCounter = (day: string, currency: string, status: string): string =>
  `DAY#${day}#PAYMENTS#${currency}#${status}`

/** The counter of the sign-ups of a day. */
export const signUpsCounter = (day: string): string => `DAY#${day}#SIGN-UPS`

/** The counter of what waits in a queue. */
export const waitingCounter = (queue: string): string => `NOW#${queue}`

/**
 * The range of the counters of days from `day` on and of all queues, both ends included. `~` sorts after
 * every queue's name.
 */
export const countersSince = (day: string): [string, string] => [`DAY#${day}`, 'NOW#~']

/** The prefix of the partitions that list what waits in a queue. */
export const overviewWaitingPartition = (queue: string): string => `OVERVIEW-WAITING#${queue}`

/** The entry of a subject in a queue, longest waiting first. */
export const overviewWaitingKey = (queue: string, since: Timestamp, subject: string): Key =>
  shardedKey(overviewWaitingPartition(queue), `${since}#${subject}`)
