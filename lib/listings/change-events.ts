import { isDeepStrictEqual } from 'node:util'
import { announce } from '#lib/events/event'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Listing } from './listing.ts'
import { isLive } from './media/change-media.ts'
import { hasWaiting, viewWaitingMedia } from './media/media.ts'

/** Returns the events of a change of media: none unless the listing is published or suspended. */
export const mediaEvents = ({ newId }: { newId: NewId }, seen: Listing, next: Listing): Write[] =>
  isLive(seen) ? changeEvents(newId, seen, next) : []

/**
 * Announces a change without a move: a new price of a listing that was published, and a new or changed revision. Any
 * other change is announced as an update, so that every version of a public listing has an event.
 */
export function changeEvents(newId: NewId, seen: Listing, next: Listing): Write[] {
  const { id: subject, agentId } = seen
  const { price: from } = seen
  const { price: to } = next
  const isRepriced = to !== null && !isDeepStrictEqual(from, to) && next.publishedAt !== null
  const repriced = { id: newId('event'), type: 'listing.price_changed', subject, at: next.updatedAt } as const
  const events = [
    ...(isRepriced ? [announce({ ...repriced, data: { agentId, from, to } })] : []),
    ...submissionEvents(newId, seen, next),
  ]
  return events.length > 0 ? events : [updateEvent(newId, next)]
}

/** Announces a revision that begins to wait, or that changes while it waits. */
export function submissionEvents(newId: NewId, seen: Listing, next: Listing): Write[] {
  if (next.revision === null || isDeepStrictEqual(waitingIn(seen), waitingIn(next))) return []
  const { id: subject, agentId, updatedAt: at } = next
  return [announce({ id: newId('event'), type: 'revision.submitted', subject, at, data: { agentId } })]
}

/** Returns all that waits in the revision of a listing: also its added media, and their captions. */
const waitingIn = ({ revision, media }: Listing) => [
  revision,
  viewWaitingMedia(media),
  media.filter(hasWaiting).map(({ id, caption }) => [id, caption]),
]

/** Announces that a listing changed in a way that no other event announces. */
export const updateEvent = (newId: NewId, { id: subject, agentId, updatedAt: at }: Listing): Write =>
  announce({ id: newId('event'), type: 'listing.updated', subject, at, data: { agentId } })
