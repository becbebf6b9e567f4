import type { Key } from '#lib/kernel/write'

/** That an address is mailed no more. */
export const suppressionKey = (address: string): Key => ({ pk: `SUPPRESSION#${address}`, sk: 'SUPPRESSION' })
