import type { Key } from '#lib/kernel/write'
import { shardOf, shardsOf } from './lists.ts'

/** A change in the log of what the public may find: in order of time, spread over the day's partitions by its subject. */
export const changeLogKey = (at: string, subject: string, version: number): Key => ({
  pk: `${logOf(at)}#${shardOf(subject)}`,
  sk: `${at}#${subject}#${version}`,
})

/** The partitions of the log on the day of a moment. */
export const changeLogPartitions = (at: string): string[] => shardsOf(logOf(at))

const logOf = (at: string): string => `SEARCH-LOG#${at.slice(0, 10)}`
