import { onTable } from '#lib/dynamo/table'
import { statusDecisionQuery } from './account.keys.ts'
import { StatusDecision, type StatusDecisions } from './ban.ts'

/** The function's record of bans. */
export const statusDecisions = onTable(
  (table): StatusDecisions => ({
    of: async (userId) => {
      const items = await table.queryAll({ ...statusDecisionQuery(userId), consistent: true })
      return items.map((item) => StatusDecision.parse(item))
    },
  }),
)
