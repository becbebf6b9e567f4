import type { Key } from '#lib/kernel/write'

/** The stored position of a long job. */
export const progressKey = (job: string): Key => ({ pk: `PROGRESS#${job}`, sk: 'PROGRESS' })
