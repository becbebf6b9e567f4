import { onTable } from '#lib/dynamo/table'
import { takeBackKey } from './privacy.keys.ts'
import type { TakeBacks } from './take-back.ts'

/** The function's record of accounts that were taken back. */
export const takeBacks = onTable(
  (): TakeBacks => ({
    insert: (userId, at) => ({ put: { ...takeBackKey(userId), kind: 'take-back', userId, at } }),
  }),
  { USER: ['put'] },
)
