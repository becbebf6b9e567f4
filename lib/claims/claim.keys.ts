import type { Key } from '#lib/kernel/write'

/** Who is at a subject. */
export const claimKey = (subject: string): Key => ({ pk: `CLAIM#${subject}`, sk: 'CLAIM' })
