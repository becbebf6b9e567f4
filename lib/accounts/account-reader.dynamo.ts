import { onTable, type Table } from '#lib/dynamo/table'
import { accountKey } from './account.keys.ts'
import { Account } from './account.ts'
import type { AccountReader, AccountWitness } from './account-store.ts'

/** Opens the reader of accounts: a file of its own, so that its functions bundle none of the writes of an account. */
export const openAccountReader = (table: Table): AccountWitness => ({
  get: async (id) => {
    const item = await table.get(accountKey(id))
    return item && Account.parse(item)
  },
  getMany: async (ids) => (await table.getMany(ids.map(accountKey))).map((item) => Account.parse(item)),
  requireUnchanged: (id, seen) => ({ check: accountKey(id), when: { equals: seen } }),
  requireExisting: (id) => ({ check: accountKey(id), when: 'present' }),
})

/** The function's reader of accounts. */
export const accountReader = onTable((table): AccountReader => openAccountReader(table), { USER: ['get'] })

/** The function's reader of accounts, for changes that depend on one. */
export const accountWitness = onTable(openAccountReader, { USER: ['get', 'check'] })
