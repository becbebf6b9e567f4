import type { AccountStore } from '#lib/accounts/account-store'
import { announce } from '#lib/events/event'
import type { Clock, Timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Listing } from './listing.ts'
import type { ListingStore } from './listing-store.ts'

/** What changing a listing takes. */
export type ListingDeps = { listings: ListingStore; accounts: AccountStore; now: Clock; newId: NewId }

/** Who moves a listing, and why. */
export type Motive = { by: string; reasons: string[]; message: string | null; note: string | null }

/** The writes of a move: the listing under its version, its history entry and its event, and the count of drafts. */
export const moveWrites = (
  deps: ListingDeps,
  seen: Listing,
  next: Listing,
  at: Timestamp,
  motive: Motive,
): Write[] => [
  ...recordedMove(deps, seen, next, at, motive),
  ...(seen.status === 'DRAFT' && next.status !== 'DRAFT'
    ? [deps.accounts.countDrafts(seen.agentId, -1)]
    : []),
]

/** The same without the count of drafts, for a listing whose owner has no account any more. */
export function recordedMove(
  { listings, newId }: Pick<ListingDeps, 'listings' | 'newId'>,
  seen: Listing,
  next: Listing,
  at: Timestamp,
  motive: Motive,
): Write[] {
  const id = newId('event')
  const [from, to] = [seen.status, next.status]
  return [
    listings.replace(seen, next),
    listings.recordMove(seen.id, { id, from, to, at, ...motive }),
    ...(from === to
      ? []
      : [
          announce({
            id,
            type: 'listing.status_changed',
            subject: seen.id,
            at,
            data: { from, to, agentId: seen.agentId },
          }),
        ]),
  ]
}
