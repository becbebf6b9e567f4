import { readNewItem } from '#lib/dynamo/stream'
import { DomainEvent } from '#lib/events/event'
import { consumer } from '#lib/http/consumer'
import { clock } from '#lib/http/runtime'
import { deliveries } from '#lib/webhooks/delivery-store.dynamo'
import { scheduleDeliveries } from '#lib/webhooks/schedule-deliveries'
import { webhookReader } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = consumer({
  name: 'scheduleDeliveries',
  summary: 'Schedules the deliveries of an event to the endpoints that want its type',
  deps: { webhooks: webhookReader, deliveries, now: clock },
  read: (body) => DomainEvent.parse(readNewItem(body)),
  run: (event, deps) => scheduleDeliveries(deps, event),
})
