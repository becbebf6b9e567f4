import type { Key } from '#lib/kernel/write'

/** An API key, by the hash of it: a request names nothing else. */
export const apiKeyKey = (hash: string): Key => ({ pk: `API-KEY#${hash}`, sk: 'API-KEY' })
