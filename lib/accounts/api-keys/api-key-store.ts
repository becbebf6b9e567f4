import type { Write } from '#lib/kernel/write'
import type { ApiKey } from './api-key.ts'

/** Where API keys are stored. Which of them are good, the account says. Reads are consistent. */
export type ApiKeyStore = {
  get: (hash: string) => Promise<ApiKey | undefined>
  /** Those of some hashes, in no particular order; what is gone is left out. */
  many: (hashes: readonly string[]) => Promise<ApiKey[]>
  insert: (key: ApiKey) => Write
}
