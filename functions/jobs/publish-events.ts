import type { DynamoDBStreamEvent } from 'aws-lambda'
import { newImages } from '#lib/dynamo/stream'
import { eventBus } from '#lib/events/event-bus.eventbridge'
import { publishEvents } from '#lib/events/publish-events'
import { job } from '#lib/http/job'

export const { spec, handler } = job({
  name: 'publishEvents',
  summary: "Carries the outbox's events to the account's default event bus",
  deps: { bus: eventBus },
  run: (event: DynamoDBStreamEvent, deps) => publishEvents(deps, newImages(event)),
})
