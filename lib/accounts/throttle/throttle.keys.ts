import { sha256 } from '#lib/kernel/signatures'
import type { Key } from '#lib/kernel/write'

/** The counts of a subject since a moment. The key is a hash, because a subject contains an address or free text. */
export const throttleKey = (subject: string, since: string): Key => ({
  pk: `THROTTLE#${sha256(subject, 'base64url')}`,
  sk: since,
})
