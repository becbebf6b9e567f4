import { DomainEvent } from './event.ts'
import type { EventBus } from './event-bus.ts'

/** Publishes an event of the outbox, at least once. */
export const publishEvent = ({ bus }: { bus: EventBus }, entry: unknown): Promise<void> =>
  bus.publish(DomainEvent.parse(entry))
