import * as z from 'zod'
import { queryShards, recordsById } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { UserId } from '#lib/kernel/id'
import { accountKey, userListPartition } from './account.keys.ts'
import { Account } from './account.ts'
import { type UserListName, type UserLists, userListEntries } from './user-lists.ts'

const Entry = z.object({ userId: UserId, sk: z.string() })

/** Opens the lists in the one table. */
const openUserLists = (table: Table): UserLists => ({
  page: async ({ list, ...range }) => {
    const { items, next } = await queryShards(table, userListPartition(list), range)
    const entries = items.map((item) => Entry.parse(item))
    const ids = entries.map(({ userId }) => userId)
    const accounts = await recordsById(table, ids, accountKey, Account)
    // An account may have several entries in a list, one for each word of its name, and outdated ones. Only the first of
    // its present entries shows it.
    const listed = entries.flatMap(({ userId, sk }) => {
      const account = accounts.get(userId)
      return account && firstSortKeyOf(account, list, range) === sk ? [account] : []
    })
    return { items: listed, next }
  },
})

/** Returns the sort key of the first entry that an account has now in a list, among those that begin with a text. */
const firstSortKeyOf = (
  account: Account,
  list: UserListName,
  { beginsWith = '' }: { beginsWith?: string },
): string | undefined =>
  userListEntries(account)
    .flatMap((entry) => (entry.list === list && entry.order.startsWith(beginsWith) ? [entry.order] : []))
    .sort()[0]

/** The lists of users, as a dependency of functions. */
export const userLists = onTable(openUserLists, { reads: ['USER', 'USERS'] })
