import type { Key } from '#lib/kernel/write'

/** The claim of a subject. */
export const claimKey = (subject: string): Key => ({ pk: `CLAIM#${subject}`, sk: 'CLAIM' })
