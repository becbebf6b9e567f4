import { readNewItem } from '#lib/dynamo/stream'
import { eventBus } from '#lib/events/event-bus.eventbridge'
import { publishEvent } from '#lib/events/publish-event'
import { consumer } from '#lib/http/consumer'

export const { spec, handler } = consumer({
  name: 'publishEvents',
  summary: "Carries the outbox's events to the account's default event bus",
  deps: { bus: eventBus },
  read: readNewItem,
  run: (item, deps) => publishEvent(deps, item),
})
