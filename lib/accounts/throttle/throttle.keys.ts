import { createHash } from 'node:crypto'
import type { Key } from '#lib/kernel/write'

/** The counts of a subject since a moment. The key is a hash, because a subject contains an address or free text. */
export const throttleKey = (subject: string, since: string): Key => ({
  pk: `THROTTLE#${createHash('sha256').update(subject).digest('base64url')}`,
  sk: since,
})
