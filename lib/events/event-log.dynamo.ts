import { queryMerged, shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { EventId } from '#lib/kernel/id'
import { EVENTS_LIST, eventKey, subjectEventsPartition } from './event.keys.ts'
import { DomainEvent } from './event.ts'
import type { EventLog } from './event-log.ts'

/** Opens the outbox of the one table for reading. */
export const openEventLog = (table: Table): EventLog => ({
  get: async (id) => {
    const item = await table.get(eventKey(id))
    return item && DomainEvent.parse(item)
  },
  list: async (subject, page) => {
    const { items, next } = await (subject === undefined
      ? queryMerged(table, shardsOf(EVENTS_LIST), page)
      : queryMerged(table, [subjectEventsPartition(subject)], page, 'gsi1'))
    return {
      items: items.map((item) => DomainEvent.parse(item)),
      next: next === undefined ? undefined : EventId.parse(next),
    }
  },
})

/** The log of events, as a dependency of functions. */
export const events = onTable(openEventLog, { reads: ['EVENTS', 'gsi1:EVENTS-OF'] })
