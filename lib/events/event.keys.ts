import { shardedKey } from '#lib/dynamo/lists'
import type { EventId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The sharded list of all events. Its items are the events themselves. */
export const EVENTS_LIST = 'EVENTS'

/** A domain event: in the outbox, and listed for 30 days. */
export const eventKey = (id: EventId): Key => shardedKey(EVENTS_LIST, id)

/** An event among those of its subject. */
export const subjectEventsEntry = (subject: string, id: EventId) => ({
  gsi1pk: subjectEventsPartition(subject),
  gsi1sk: id,
})

/** Events of one subject, by the index `gsi1`. */
export const subjectEventsPartition = (subject: string): string => `EVENTS-OF#${subject}`
