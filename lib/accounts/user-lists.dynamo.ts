import * as z from 'zod'
import { queryShards, recordsById } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { UserId } from '#lib/kernel/id'
import { accountKey, userListPartition } from './account.keys.ts'
import { Account } from './account.ts'
import { type UserListName, type UserLists, userListEntries } from './user-lists.ts'

const Entry = z.object({ userId: UserId, sk: z.string() })

/** The lists in the one table. */
export const openUserLists = (table: Table): UserLists => ({
  page: async ({ list, ...stretch }) => {
    const orderOf = (account: Account) => firstOrder(account, list, stretch.beginsWith ?? '')
    const { items, next } = await queryShards(table, userListPartition(list), stretch)
    const entries = items.map((item) => Entry.parse(item))
    const ids = entries.map(({ userId }) => userId)
    const accounts = await recordsById(table, ids, accountKey, Account)
    const listed = entries.flatMap(({ userId, sk }) => {
      const account = accounts.get(userId)
      return account && orderOf(account) === sk ? [account] : []
    })
    return { items: listed, next }
  },
})

/** The first of an account's orders in a list that begin with a text. */
const firstOrder = (account: Account, list: UserListName, beginning: string): string | undefined =>
  userListEntries(account)
    .flatMap((entry) => (entry.list === list && entry.order.startsWith(beginning) ? [entry.order] : []))
    .sort()[0]

/** The function's lists of users. */
export const userLists = onTable(openUserLists, { USERS: ['query'], USER: ['get'] })
