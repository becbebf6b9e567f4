import * as z from 'zod'
import { queryShards, recordsById } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { UserId } from '#lib/kernel/id'
import { accountKey, userListPartition } from './account.keys.ts'
import { Account } from './account.ts'
import { type UserLists, userListEntries } from './user-lists.ts'

const Entry = z.object({ userId: UserId, sk: z.string() })

/** The lists in the one table. */
export const openUserLists = (table: Table): UserLists => ({
  page: async ({ list, ...stretch }) => {
    const { items, next } = await queryShards(table, userListPartition(list), stretch)
    const entries = items.map((item) => Entry.parse(item))
    const ids = entries.map(({ userId }) => userId)
    const accounts = await recordsById(table, ids, accountKey, Account)
    const listed = entries.flatMap(({ userId, sk }) => {
      const account = accounts.get(userId)
      const isListed = account && userListEntries(account).some((at) => at.list === list && at.order === sk)
      return isListed ? [account] : []
    })
    return { items: listed, next }
  },
})

/** The function's userLists. */
export const userLists = onTable(openUserLists)
