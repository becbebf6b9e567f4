import { administrator } from '#lib/accounts/access'
import { DomainEvent } from '#lib/events/event'
import { events } from '#lib/events/event-log.dynamo'
import { getEvent } from '#lib/events/list-events'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { EventId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'GET /admin/events/{id}',
  summary: 'An event',
  description: 'An event can be read from 10 seconds after its time, for 30 days.',
  access: administrator(['integrations']),
  input: { params: { id: EventId } },
  output: { 200: DomainEvent },
  deps: { events, now: clock },
  run: ({ params }, deps) => getEvent(deps, params.id),
})
