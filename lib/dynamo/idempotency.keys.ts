import { createHash } from 'node:crypto'
import type { Key } from '#lib/kernel/write'

/** The record of a caller's `Idempotency-Key`, both hashed, since they may hold any text. */
export const idempotencyKey = (caller: string, key: string): Key => ({
  pk: idempotencyPartition(caller),
  sk: hashed(key),
})

/** The partition of all records of a caller. */
export const idempotencyPartition = (caller: string): string => `IDEMPOTENCY#${hashed(caller)}`

const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url')
