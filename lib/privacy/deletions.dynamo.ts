import { storeOnTable } from '#lib/dynamo/table'
import { Deletion, type Deletions } from './deletion.ts'
import { deletionKey } from './privacy.keys.ts'

/** The record of deleted accounts, in the one table. */
export const deletions = storeOnTable(
  (table): Deletions => ({
    get: async (userId) => {
      const item = await table.get(deletionKey(userId))
      return item && Deletion.parse(item)
    },
    insert: (userId, at, email) => {
      const deletion: Deletion = { userId, at, erasedAt: null, email }
      return { put: { ...deletionKey(userId), kind: 'deletion', ...deletion }, when: 'absent' }
    },
    markErased: (userId, at) => ({
      update: deletionKey(userId),
      set: { erasedAt: at, email: null },
      when: 'present',
    }),
  }),
  { get: { USER: ['get'] }, insert: { USER: ['put'] }, markErased: { USER: ['update'] } },
)
