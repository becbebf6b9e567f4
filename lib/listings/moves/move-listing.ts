import type { AccountReader } from '#lib/accounts/account-store'
import { announce } from '#lib/events/event'
import type { Clock, Timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Listing } from '../listing.ts'
import type { CountLimits, ListingStore } from '../listing-store.ts'

/** The dependencies of a change of a listing. */
export type ListingDeps = {
  listings: ListingStore
  accounts: AccountReader
  now: Clock
  newId: NewId
}

/** The author of a move, and the author's reasons and words. */
export type Motive = { by: string; reasons: string[]; message: string | null; note: string | null }

/** Returns the motive of an owner, by the user's id, or of the service (`system`): neither gives reasons. */
export const ownMotive = (by: string): Motive => ({ by, reasons: [], message: null, note: null })

export type MoveDeps = {
  listings: ListingStore
  newId: NewId
}

/**
 * Returns the writes of a move: the listing, if its version is the seen one, and the entry of its history. If the status
 * changes, also the event and the agent's counters, within the given limits. A moderator's suspension that replaces the
 * service's own has the event, too.
 */
export function moveWrites(
  { listings, newId }: MoveDeps,
  seen: Listing,
  next: Listing,
  at: Timestamp,
  motive: Motive,
  limits?: CountLimits,
): Write[] {
  const id = newId('event')
  const { id: subject, agentId } = seen
  const [from, to] = [seen.status, next.status]
  const writes = [
    ...listings.replace(seen, next),
    listings.recordMove(subject, { id, field: 'status', from, to, at, ...motive }),
  ]
  // Any other move within a status is about a revision, which has events of its own.
  if (from === to && to !== 'SUSPENDED') return writes
  return [
    ...writes,
    announce({ id, type: 'listing.status_changed', subject, at, data: { from, to, agentId } }),
    ...(from === to ? [] : [listings.countMove(agentId, { from, to }, limits)]),
  ]
}
