import * as z from 'zod'
import { type Clock, secondsAfter } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { DomainError } from '#lib/kernel/domain-error'
import { EventId, lastIdBefore } from '#lib/kernel/id'
import { answerPage, type Page, PageQuery } from '#lib/kernel/page'
import { type DomainEvent, EVENT_KEPT_SECONDS } from './event.ts'
import type { EventLog } from './event-log.ts'
import { EventType } from './event-types.ts'

/** An event is listed only this long after its time. By then all earlier events are stored, and no page skips one. */
const SETTLED_SECONDS = 10

/** The most events that one page reads to find those of a type. */
const LOOKED_THROUGH_MAX = 1_000
/** The number of events in one read that looks for those of a type. */
const BATCH = 200

/** The events to show: after an event that was read before, of a type, of a subject. */
export const EventsQuery = PageQuery.extend({
  after: EventId.optional().meta({ description: 'The id of the last event that was read' }),
  type: EventType.optional(),
  subject: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'The id of what the event happened to' }),
})

type Deps = { events: EventLog; cursors: Cursors; now: Clock }
type EventDeps = { events: EventLog; now: Clock }

/**
 * Lists events of the last 30 days, oldest first, each from 10 s after its time. Throws `invalid_cursor` for
 * an `after` that is older than 30 days.
 */
export function listEvents({ events, cursors, now }: Deps, query: z.output<typeof EventsQuery>) {
  const { limit, cursor, ...filters } = query
  const { oldest, newest } = listedIds(now())
  if (filters.after !== undefined && filters.after < oldest) {
    throw new DomainError('invalid_cursor', { detail: 'Events are kept for 30 days' })
  }
  return answerPage(cursors, { list: 'events', filters, position: EventId }, cursor, (position) =>
    pageOfType(events, filters, { limit, after: position ?? filters.after ?? oldest }, newest),
  )
}

/** Returns an event by its id. Throws `not_found` for an unknown event, and for one that is not listed yet or any more. */
export async function getEvent(deps: EventDeps, id: EventId): Promise<DomainEvent> {
  const event = await settledEvent(deps, id)
  if (!event) throw new DomainError('not_found')
  return event
}

/** Returns an event by its id; undefined for an unknown event, and for one that is not listed yet or any more. */
export async function settledEvent(
  { events, now }: EventDeps,
  id: EventId,
): Promise<DomainEvent | undefined> {
  const { oldest, newest } = listedIds(now())
  // The table removes an event some time after its 30 days.
  return id > oldest && id <= newest ? events.get(id) : undefined
}

/** Returns the ids between which events are listed: those after `oldest`, up to `newest`. */
const listedIds = (now: Date) => ({
  oldest: lastIdBefore('event', secondsAfter(now, -EVENT_KEPT_SECONDS)),
  newest: lastIdBefore('event', secondsAfter(now, -SETTLED_SECONDS)),
})

/** Returns a page of the events of a type, or of every type. Reads batches until the page is full. */
async function pageOfType(
  events: EventLog,
  { subject, type }: { subject?: string | undefined; type?: string | undefined },
  { limit, after }: { limit: number; after: EventId },
  newest: EventId,
): Promise<Page<DomainEvent, EventId>> {
  const found: DomainEvent[] = []
  let position: EventId | undefined = after
  const batch = type === undefined ? limit : BATCH
  for (let read = 0; read < LOOKED_THROUGH_MAX && position !== undefined; read += batch) {
    const { items, next } = await settledPage(events, subject, { limit: batch, after: position }, newest)
    found.push(...items.filter((event) => type === undefined || event.type === type))
    const last = found[limit - 1]
    if (last) {
      // Unless the page ends with the last event of the list, another page follows.
      const isMore = next !== undefined || last !== items.at(-1)
      return { items: found.slice(0, limit), next: isMore ? last.id : undefined }
    }
    position = next
  }
  return { items: found, next: position }
}

/** Reads events up to `newest`: the list ends there for now. */
async function settledPage(
  events: EventLog,
  subject: string | undefined,
  page: { limit: number; after: EventId },
  newest: EventId,
): Promise<Page<DomainEvent, EventId>> {
  const { items, next } = await events.list(subject, page)
  const settled = items.filter(({ id }) => id <= newest)
  return { items: settled, next: settled.length === items.length ? next : undefined }
}
