import { withUsesTestedElsewhere } from '#lib/config/config'
import { readNewItem } from '#lib/dynamo/stream'
import { DomainEvent } from '#lib/events/event'
import { consumer } from '#lib/http/consumer'
import { clock } from '#lib/http/runtime'
import { deliveryStore } from '#lib/webhooks/delivery-store.dynamo'
import { scheduleDeliveries } from '#lib/webhooks/schedule-deliveries'
import { webhookStore } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = consumer({
  name: 'scheduleDeliveries',
  summary: 'Schedules the deliveries of an event to the endpoints that want its type',
  deps: {
    webhooks: webhookStore.only('all'),
    deliveries: withUsesTestedElsewhere(
      deliveryStore.only('record', 'schedule', 'enqueue', 'markScheduled', 'isScheduled', 'commit'),
      'no test uses the permission of isScheduled, which is called only after a conflict with another run',
    ),
    now: clock,
  },
  read: (body) => DomainEvent.parse(readNewItem(body)),
  run: (event, deps) => scheduleDeliveries(deps, event),
})
