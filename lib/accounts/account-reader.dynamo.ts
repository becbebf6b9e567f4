import { onTable, type Table } from '#lib/dynamo/table'
import { accountKey } from './account.keys.ts'
import { Account } from './account.ts'
import type { AccountReader } from './account-store.ts'

/** Opens the reader of accounts. In its own file, so that functions that only read bundle no code that writes. */
export const openAccountReader = (table: Table): AccountReader => ({
  get: async (id) => {
    const item = await table.get(accountKey(id))
    return item && Account.parse(item)
  },
  getMany: async (ids) => (await table.getMany(ids.map(accountKey))).map((item) => Account.parse(item)),
  requireUnchanged: ({ id, version }) => table.check(accountKey(id), { when: { equals: { version } } }),
})

/** The reader of accounts, as a dependency of functions. */
export const accountReader = onTable(openAccountReader, { reads: ['USER'] })
