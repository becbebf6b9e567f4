import { dependency } from '#lib/config'
import { openTable } from '#lib/dynamo/table'
import { statusDecisionQuery } from './account.keys.ts'
import { StatusDecision, type StatusDecisions } from './ban.ts'

/** The function's record of bans: one query, its first megabyte. */
export const statusDecisions = dependency(['TABLE_NAME'], ({ TABLE_NAME }): StatusDecisions => {
  const table = openTable(TABLE_NAME)
  return {
    of: async (userId) => {
      const { items } = await table.query({ ...statusDecisionQuery(userId), consistent: true })
      return items.map((item) => StatusDecision.parse(item))
    },
  }
})
