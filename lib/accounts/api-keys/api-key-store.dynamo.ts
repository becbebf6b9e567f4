import { onTable, type Table } from '#lib/dynamo/table'
import { apiKeyKey } from './api-key.keys.ts'
import { ApiKey } from './api-key.ts'
import type { ApiKeyReader, ApiKeyStore } from './api-key-store.ts'

/** Opens the API keys in the one table. */
const openApiKeys = (table: Table): ApiKeyStore => ({
  get: async (hash) => {
    const item = await table.get(apiKeyKey(hash))
    return item && ApiKey.parse(item)
  },
  many: async (hashes) => (await table.getMany(hashes.map(apiKeyKey))).map((item) => ApiKey.parse(item)),
  insert: (key) => table.put({ ...apiKeyKey(key.hash), kind: 'api-key', ...key }, { when: 'absent' }),
})

/** The store of API keys, as a dependency of functions. */
export const apiKeys = onTable(openApiKeys, { reads: ['API-KEY'], writes: ['API-KEY'] })

export const apiKeyReader = onTable((table): ApiKeyReader => openApiKeys(table), { reads: ['API-KEY'] })
