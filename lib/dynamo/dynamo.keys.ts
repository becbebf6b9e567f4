import { sha256 } from '#lib/kernel/signatures'
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

/** The record of a caller's `Idempotency-Key`. */
export const idempotencyKey = (caller: string, key: string): Key => ({
  pk: idempotencyPartition(caller),
  sk: hashed(key),
})

/** The partition of all records of a caller. */
export const idempotencyPartition = (caller: string): string => `IDEMPOTENCY#${hashed(caller)}`

/** The stored position of a long job. */
export const progressKey = (job: string): Key => ({ pk: `PROGRESS#${job}`, sk: 'PROGRESS' })

/** The number of a subject's actions of one kind in the window that ends at `endsAtSeconds`. */
export const quotaKey = (policy: string, subject: string, endsAtSeconds: number): Key => ({
  pk: `QUOTA#${hashed(subject)}`,
  sk: `${policy}#${endsAtSeconds}`,
})

/** Hashes a text, since callers, subjects and their keys may contain any characters. */
const hashed = (text: string): string => sha256(text, 'base64url')
