import { onTable, type Table } from '#lib/dynamo/table'
import { Deletion, type Deletions } from './deletion.ts'
import { deletionKey } from './privacy.keys.ts'

/** Opens the record of deleted accounts in the one table. */
const openDeletions = (table: Table): Deletions => ({
  get: async (userId) => {
    const item = await table.get(deletionKey(userId))
    return item && Deletion.parse(item)
  },
  insert: (userId, at, email) => {
    const deletion: Deletion = { userId, at, erasedAt: null, email }
    return table.put({ ...deletionKey(userId), kind: 'deletion', ...deletion }, { when: 'absent' })
  },
  markErased: (userId, at) =>
    table.update(deletionKey(userId), { set: { erasedAt: at, email: null }, when: 'present' }),
})

/** The record of deleted accounts, as a dependency of functions. */
export const deletions = onTable(openDeletions, { reads: ['USER'], writes: ['USER'] })
