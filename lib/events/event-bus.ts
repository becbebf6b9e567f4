import type { DomainEvent } from './event.ts'

/** Where the service announces what happened. Resolves to the ids of the events that did not get there. */
export type EventBus = { publish: (events: readonly DomainEvent[]) => Promise<readonly string[]> }
