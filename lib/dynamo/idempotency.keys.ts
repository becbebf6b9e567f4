import { createHash } from 'node:crypto'
import type { Key } from '#lib/kernel/write'

/** What is kept of a caller's `Idempotency-Key`; hashed, since a key may hold anything. */
export const idempotencyKey = (caller: string, key: string): Key => ({
  pk: `IDEMPOTENCY#${createHash('sha256').update(`${caller}\n${key}`).digest('base64url')}`,
  sk: 'IDEMPOTENCY',
})
