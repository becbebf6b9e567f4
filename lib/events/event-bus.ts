import type { DomainEvent } from './event.ts'

/** Where the service announces what happened. Throws when an event was not accepted. */
export type EventBus = { publish: (event: DomainEvent) => Promise<void> }
