import { onTable, type Table } from '#lib/dynamo/table'
import { accountKey } from './account.keys.ts'
import { Account } from './account.ts'
import type { AccountReader } from './account-store.ts'

/** Reads accounts in the one table. Its bundle spells no key of an address, a session or a list. */
export const openAccountReader = (table: Table): AccountReader => ({
  get: async (id) => {
    const item = await table.get(accountKey(id))
    return item && Account.parse(item)
  },
  getMany: async (ids) => (await table.getMany(ids.map(accountKey))).map((item) => Account.parse(item)),
  requireUnchanged: (id, seen) => ({ check: accountKey(id), when: { equals: seen } }),
  requireExisting: (id) => ({ check: accountKey(id), when: 'present' }),
})

/** The function's reader of accounts. */
export const accountReader = onTable(openAccountReader, { USER: ['read', 'check'] })
