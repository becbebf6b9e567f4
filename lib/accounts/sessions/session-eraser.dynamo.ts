import { sessionKey, userSessionsQuery } from '#lib/accounts/account.keys'
import { onTable } from '#lib/dynamo/table'
import { SessionId } from '#lib/kernel/id'
import type { SessionEraser } from './session-store.ts'

/** Removes the sessions of a deleted account, as a dependency of functions. */
export const sessionEraser = onTable(
  (table): SessionEraser => ({
    removeAll: async (userId) => {
      const items = await table.queryAll(userSessionsQuery(userId))
      await table.writeEach(items.map(({ id }) => ({ remove: sessionKey(SessionId.parse(id)) })))
    },
  }),
  { reads: ['gsi1:USER'], writes: ['SESSION'] },
)
