import type { Key } from '#lib/kernel/write'

/** The suppression of an address. */
export const suppressionKey = (address: string): Key => ({ pk: `SUPPRESSION#${address}`, sk: 'SUPPRESSION' })
