import { DomainEvent } from './event.ts'
import type { EventBus } from './event-bus.ts'

/** An outbox entry as the table's stream tells of it. */
type Entry = { recordId: string; item: unknown }

/**
 * Announces the outbox's events, in the stream's order, each at least once. Answers where to go on: the first
 * event that did not get through and everything after it come again.
 */
export async function publishEvents({ bus }: { bus: EventBus }, entries: readonly Entry[]) {
  const events = entries.map(({ recordId, item }) => ({ recordId, event: DomainEvent.parse(item) }))
  const failed = new Set(await bus.publish(events.map(({ event }) => event)))
  const first = events.find(({ event }) => failed.has(event.id))
  return { batchItemFailures: first ? [{ itemIdentifier: first.recordId }] : [] }
}
