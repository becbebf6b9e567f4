import * as z from 'zod'
import { announce } from '#lib/events/event'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId, UserId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import type { SeenVersion } from '#lib/kernel/version'
import type { Write } from '#lib/kernel/write'
import { countChange } from '../change-limits.ts'
import { Availability, type Listing } from '../listing.ts'
import type { ListingStore } from '../listing-store.ts'
import { refuseStaleListing } from '../listing-version.ts'
import { getOwnListing } from '../read-listing.ts'
import { type ListingDeps, type Motive, type MoveDeps, ownMotive } from './move-listing.ts'

/** Whether the property can still be had. */
export const AvailabilityChange = z.object({ state: Availability })

/** Returns the writes that follow from a call that sets the availability, for the same transaction. */
export type AvailabilityFollower = (listingId: ListingId, state: Availability) => Promise<Write[]>

type Deps = ListingDeps & {
  listings: ListingStore
  follow: AvailabilityFollower
  quotas: Quotas
}

/**
 * Sets the availability of a published listing of the caller's, without a moderator. Calls are counted, so that the end
 * of a payment's hold does not undo the owner's choice. A call with the present state does not change the listing, but is
 * counted and followed like any other. Throws `version_conflict` with the version of the owner's view. Throws
 * `listing_transition_not_allowed` for a listing that is not published, and `too_many_requests`.
 */
export const setAvailability = (
  deps: Deps,
  userId: UserId,
  id: ListingId,
  { state }: z.infer<typeof AvailabilityChange>,
  seen: SeenVersion,
) =>
  retryConflicts(async () => {
    const { listing, owner } = await getOwnListing(deps, { kind: 'user', userId }, id)
    refuseStaleListing(listing, 'owner', seen)
    refuseUnpublished(listing, state)
    const callWrites = [deps.listings.countAvailabilityCall(id), ...(await deps.follow(id, state))]
    if (listing.availability === state) {
      await deps.listings.commit(callWrites)
      return { listing, owner }
    }
    const at = timestamp(deps.now())
    const next = { ...listing, availability: state, updatedAt: at, version: listing.version + 1 }
    await deps.listings.commit([
      ...availabilityWrites(deps, listing, next, at, ownMotive(userId)),
      ...callWrites,
      ...countChange(deps, listing, next),
    ])
    return { listing: next, owner }
  })

/** Returns the writes of a changed availability: the listing, if its version is the seen one, its history entry and event. */
export function availabilityWrites(
  { listings, newId }: Pick<MoveDeps, 'newId'> & { listings: ListingStore },
  seen: Listing,
  next: Listing,
  at: Timestamp,
  motive: Motive,
): Write[] {
  const id = newId('event')
  const { id: subject, agentId } = seen
  const [from, to] = [seen.availability, next.availability]
  return [
    ...listings.replace(seen, next),
    listings.recordMove(subject, { id, field: 'availability', from, to, at, ...motive }),
    announce({ id, type: 'listing.availability_changed', subject, at, data: { from, to, agentId } }),
  ]
}

function refuseUnpublished({ status, availability }: Listing, to: Availability): void {
  if (status === 'PUBLISHED') return
  throw new DomainError('listing_transition_not_allowed', {
    detail: `The availability of a listing in ${status} does not change`,
    extensions: { from: availability, to, allowed: [] },
  })
}
