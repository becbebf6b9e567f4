import type { Key } from '#lib/kernel/write'

/** Keyed by the hash of the key, because a request contains only the key. */
export const apiKeyKey = (hash: string): Key => ({ pk: `API-KEY#${hash}`, sk: 'API-KEY' })
