import { onTable } from '#lib/dynamo/table'
import { takeBackKey } from './privacy.keys.ts'
import type { TakeBacks } from './take-back.ts'

/** The store of accounts that were taken back, as a dependency of functions. */
export const takeBacks = onTable(
  (table): TakeBacks => ({
    insert: (userId, at) => table.put({ ...takeBackKey(userId), kind: 'take-back', userId, at }),
  }),
  { writes: ['USER'] },
)
