import type { Write } from '#lib/kernel/write'
import type { ApiKey } from './api-key.ts'

/** Where API keys are stored. A key is valid while its account lists it. Reads are consistent. */
export type ApiKeyStore = {
  get: (hash: string) => Promise<ApiKey | undefined>
  /** Returns the keys with these hashes, in no particular order; deleted keys are left out. */
  many: (hashes: readonly string[]) => Promise<ApiKey[]>
  insert: (key: ApiKey) => Write
}

export type ApiKeyReader = Pick<ApiKeyStore, 'get' | 'many'>
