import * as z from 'zod'
import { dependency } from '#lib/config'
import { queryShards } from '#lib/dynamo/lists'
import { openTable, type Table } from '#lib/dynamo/table'
import { UserId } from '#lib/kernel/id'
import { accountKey, directoryPartition } from './account.keys.ts'
import { Account } from './account.ts'
import { type Directory, directoryEntries } from './directory.ts'

const Entry = z.object({ userId: UserId, sk: z.string() })

/** The lists in the one table. */
export const openDirectory = (table: Table): Directory => ({
  page: async ({ list, limit, after, descending = false }) => {
    const { items, next } = await queryShards(table, directoryPartition(list), { limit, after, descending })
    const entries = items.map((item) => Entry.parse(item))
    const found = await table.getMany(entries.map(({ userId }) => accountKey(userId)))
    const accounts = new Map(found.map((item) => Account.parse(item)).map((account) => [account.id, account]))
    const listed = entries.flatMap(({ userId, sk }) => {
      const account = accounts.get(userId)
      const isListed = account && directoryEntries(account).some((at) => at.list === list && at.order === sk)
      return isListed ? [account] : []
    })
    return { items: listed, next }
  },
})

/** The function's directory. */
export const directory = dependency(['TABLE_NAME'], ({ TABLE_NAME }) => openDirectory(openTable(TABLE_NAME)))
