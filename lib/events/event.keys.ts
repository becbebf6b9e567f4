import type { EventId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A domain event waiting in the outbox. */
export const eventKey = (id: EventId): Key => ({ pk: `EVENT#${id}`, sk: 'EVENT' })
