import * as z from 'zod'
import { DAY_SECONDS, Timestamp } from '#lib/kernel/clock'
import { EventId } from '#lib/kernel/id'
import { allowed, type Write } from '#lib/kernel/write'
import { eventKey, subjectEventsEntry } from './event.keys.ts'
import type { Announcement } from './event-types.ts'

/**
 * Something that happened, as other services learn of it: ids and states, nothing personal. The OpenAPI document
 * describes `data` by `type`. Events of a later version of the service can be read too.
 */
export const DomainEvent = z
  .object({
    id: EventId,
    /** A name of `EVENTS`, or of a later version of the service. */
    type: z.string(),
    /** The id of the record that the event is about. */
    subject: z.string(),
    at: Timestamp,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'DomainEvent' })
export type DomainEvent = z.infer<typeof DomainEvent>

/** The time for which an event is listed. */
export const EVENT_KEPT_SECONDS = 30 * DAY_SECONDS

/**
 * Returns the outbox entry of an event, for the transaction of the change: a change and its event are stored together
 * or not at all. The table's stream carries the event on.
 */
export const announce = (event: Announcement): Write =>
  allowed({
    put: {
      ...eventKey(event.id),
      ...subjectEventsEntry(event.subject, event.id),
      kind: 'event',
      ...event,
      expiresAtSeconds: Math.floor(Date.parse(event.at) / 1000) + EVENT_KEPT_SECONDS,
    },
    when: 'absent',
  })
