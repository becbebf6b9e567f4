import type { EventId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { DomainEvent } from './event.ts'

/** The events of the last 30 days, for reading. */
export type EventLog = {
  get: (id: EventId) => Promise<DomainEvent | undefined>
  /** Events after an id, oldest first, of one subject where one is given. A page may hold fewer than `limit`. */
  list: (
    subject: string | undefined,
    page: { limit: number; after: EventId | undefined },
  ) => Promise<Page<DomainEvent, EventId>>
}
