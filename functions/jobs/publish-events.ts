import { readNewItem } from '#lib/dynamo/stream'
import { DomainEvent } from '#lib/events/event'
import { eventBus } from '#lib/events/event-bus.eventbridge'
import { consumer } from '#lib/http/consumer'

export const { spec, handler } = consumer({
  name: 'publishEvents',
  summary: "Carries the outbox's events to the account's default event bus",
  deps: { bus: eventBus },
  read: (body) => DomainEvent.parse(readNewItem(body)),
  run: (event, { bus }) => bus.publish(event),
})
