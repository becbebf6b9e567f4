import { queryMerged, recordsInOrder, shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { ActionId, lastIdBefore } from '#lib/kernel/id'
import { ACTIONS, actionIndexes, actionKey, actionsByPartition, actionsOfPartition } from './journal.keys.ts'
import { Action, type ActionFilter, type Journal, type JournalReader } from './journal.ts'

/** Opens the journal in the one table. */
export const openJournal = (table: Table): Journal => ({
  record: (action) =>
    table.put(
      {
        ...actionKey(action.id),
        ...actionIndexes(action.subject, action.by, action.id),
        kind: 'action',
        ...action,
      },
      { when: 'absent' },
    ),
  commit: table.commit,
  get: async (id) => {
    const item = await table.get(actionKey(id))
    return item && Action.parse(item)
  },
  list: async (filter, { limit, after }) => {
    // Ids sort by their time: a bound in time is a position in the list. The list goes back in time, from the earlier of
    // the bound and the page's position.
    const bound = filter.to && lastIdBefore('action', filter.to)
    const [start] = [bound, after].filter((id) => id !== undefined).sort()
    const { items, next } = await read(table, filter, { limit, after: start })
    const isSinceFrom = ({ at }: Action) => filter.from === undefined || at >= timestamp(filter.from)
    const isBy = ({ by }: Action) => filter.by === undefined || by === filter.by
    const hasPassedFrom = !items.every(isSinceFrom)
    return {
      items: items.filter(isSinceFrom).filter(isBy),
      next: hasPassedFrom ? undefined : next,
    }
  },
})

async function read(
  table: Table,
  { subject, by }: ActionFilter,
  page: { limit: number; after: ActionId | undefined },
) {
  const range = { ...page, descending: true }
  if (subject === undefined && by !== undefined) {
    // The index of an administrator's entries holds keys alone. The sort key of an entry is its id.
    const { items, next } = await queryMerged(table, [actionsByPartition(by)], range, 'gsi2')
    const ids = items.map(({ sk }) => ActionId.parse(sk))
    return {
      items: await recordsInOrder(table, ids, actionKey, Action),
      next: ActionId.optional().parse(next),
    }
  }
  const { items, next } =
    subject === undefined
      ? await queryMerged(table, shardsOf(ACTIONS), range)
      : await queryMerged(table, [actionsOfPartition(subject)], range, 'gsi1')
  return { items: Action.array().parse(items), next: ActionId.optional().parse(next) }
}

/** The journal, as a dependency of functions. */
export const journal = onTable(openJournal, {
  reads: ['ACTIONS', 'gsi1:ACTIONS-OF', 'gsi2:ACTIONS-BY'],
  writes: ['ACTIONS'],
})

export const journalReader = onTable((table): JournalReader => openJournal(table), {
  reads: ['ACTIONS', 'gsi1:ACTIONS-OF', 'gsi2:ACTIONS-BY'],
})
