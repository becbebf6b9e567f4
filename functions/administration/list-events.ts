import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { DomainEvent } from '#lib/events/event'
import { events } from '#lib/events/event-log.dynamo'
import { EventsQuery, listEvents } from '#lib/events/list-events'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { pageOf } from '#lib/kernel/page'

export const { spec, handler } = endpoint({
  route: 'GET /admin/events',
  summary: 'What happened',
  description:
    'Domain events of the last 30 days, oldest first. An event is answered from 10 seconds after its time, so that ' +
    'none appears before one that was already answered: ask again with `after`, the id of the last event that was ' +
    'read. An `after` that is older than 30 days is `invalid_cursor`.',
  access: administrator(['integrations']),
  input: { query: EventsQuery },
  output: { 200: pageOf(DomainEvent) },
  problems: ['invalid_cursor'],
  deps: { events, cursors, now: clock },
  run: ({ query }, deps) => listEvents(deps, query),
})
