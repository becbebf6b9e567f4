import { onTable } from '#lib/dynamo/table'
import { statusDecisionKey, statusDecisionQuery } from './account.keys.ts'
import { StatusDecision, type StatusDecisions } from './ban.ts'

/** The function's record of bans. */
export const statusDecisions = onTable(
  (table): StatusDecisions => ({
    insert: (userId, decision) => ({
      put: { ...statusDecisionKey(userId, decision.id), kind: 'status-decision', userId, ...decision },
      when: 'absent',
    }),
    of: async (userId) => {
      const items = await table.queryAll({ ...statusDecisionQuery(userId), consistent: true })
      return items.map((item) => StatusDecision.parse(item))
    },
  }),
)
