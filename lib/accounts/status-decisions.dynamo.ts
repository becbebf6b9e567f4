import { onTable, type Table } from '#lib/dynamo/table'
import { statusDecisionKey, statusDecisionQuery } from './account.keys.ts'
import { StatusDecision, type StatusDecisions, type StatusReader } from './ban.ts'

/** Opens the decisions about bans in the one table. */
const openStatusDecisions = (table: Table): StatusDecisions => ({
  insert: (userId, decision) =>
    table.put(
      { ...statusDecisionKey(userId, decision.id), kind: 'status-decision', userId, ...decision },
      { when: 'absent' },
    ),
  of: async (userId) => {
    const items = await table.queryAll({ ...statusDecisionQuery(userId), consistent: true })
    return items.map((item) => StatusDecision.parse(item))
  },
})

/** The store of decisions about bans, as a dependency of functions. */
export const statuses = onTable(openStatusDecisions, { reads: ['USER'], writes: ['USER'] })

export const statusReader = onTable((table): StatusReader => openStatusDecisions(table), { reads: ['USER'] })
