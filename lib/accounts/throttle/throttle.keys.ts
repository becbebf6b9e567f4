import { createHash } from 'node:crypto'
import type { Key } from '#lib/kernel/write'

/** What was counted of a subject since a moment; hashed, since a subject names an address or holds anything. */
export const throttleKey = (subject: string, since: string): Key => ({
  pk: `THROTTLE#${createHash('sha256').update(subject).digest('base64url')}`,
  sk: since,
})
