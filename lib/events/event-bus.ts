import type { DomainEvent } from './event.ts'

/** Publishes events to other services. Throws when an event was not accepted. */
export type EventBus = { publish: (event: DomainEvent) => Promise<void> }
