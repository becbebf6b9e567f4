import { storeOnTable, type Table } from '#lib/dynamo/table'
import { apiKeyKey } from './api-key.keys.ts'
import { ApiKey } from './api-key.ts'
import type { ApiKeyStore } from './api-key-store.ts'

/** Opens the API keys in the one table. */
const openApiKeys = (table: Table): ApiKeyStore => ({
  get: async (hash) => {
    const item = await table.get(apiKeyKey(hash))
    return item && ApiKey.parse(item)
  },
  many: async (hashes) => (await table.getMany(hashes.map(apiKeyKey))).map((item) => ApiKey.parse(item)),
  insert: (key) => ({ put: { ...apiKeyKey(key.hash), kind: 'api-key', ...key }, when: 'absent' }),
})

/** The store of API keys, as a dependency of functions. */
export const apiKeyStore = storeOnTable(openApiKeys, {
  get: { 'API-KEY': ['get'] },
  many: { 'API-KEY': ['get'] },
  insert: { 'API-KEY': ['put'] },
})

/** The reader of API keys, as a dependency of functions that keys may call. */
export const apiKeyReader = apiKeyStore.only('get')
