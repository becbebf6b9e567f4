import { timestamp } from '#lib/kernel/clock'
import type { ListingId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { SeenVersion } from '#lib/kernel/version'
import type { Listing } from '../listing.ts'
import { refuseStaleListing } from '../listing-version.ts'
import { getOwnListing } from '../read-listing.ts'
import { type ListingDeps, type MoveDeps, moveWrites, ownMotive } from './move-listing.ts'
import { requireAllowedMove } from './transitions.ts'

/**
 * Withdraws a listing of the caller's from review: it becomes a draft again, even beyond the limit of drafts. A draft
 * does not change. Throws `version_conflict` with the version of the owner's view, for a draft too, and
 * `listing_transition_not_allowed`.
 */
export const withdrawListing = (
  deps: ListingDeps & MoveDeps,
  userId: UserId,
  id: ListingId,
  seen: SeenVersion,
) =>
  retryConflicts(async () => {
    const { listing, owner } = await getOwnListing(deps, { kind: 'user', userId }, id)
    refuseStaleListing(listing, 'owner', seen)
    if (listing.status === 'DRAFT') return { listing, owner }
    requireAllowedMove(listing.status, 'DRAFT')
    const at = timestamp(deps.now())
    const next: Listing = { ...listing, status: 'DRAFT', updatedAt: at, version: listing.version + 1 }
    await deps.listings.commit(moveWrites(deps, listing, next, at, ownMotive(userId)))
    return { listing: next, owner }
  })
