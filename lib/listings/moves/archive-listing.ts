import { timestamp } from '#lib/kernel/clock'
import type { ListingId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { SeenVersion } from '#lib/kernel/version'
import type { Listing } from '../listing.ts'
import { refuseStaleListing } from '../listing-version.ts'
import { getOwnListing } from '../read-listing.ts'
import { type ListingDeps, type MoveDeps, moveWrites, ownMotive } from './move-listing.ts'

/**
 * Archives a listing of the caller's permanently; its pending revision is dropped. An archived listing stays as it
 * is, whichever version the caller has seen. Throws `version_conflict`, with the version of the owner's view.
 */
export const archiveListing = (
  deps: ListingDeps & MoveDeps,
  userId: UserId,
  id: ListingId,
  seen: SeenVersion,
): Promise<void> =>
  retryConflicts(async () => {
    const { listing } = await getOwnListing(deps, { kind: 'user', userId }, id)
    if (listing.status === 'ARCHIVED') return
    refuseStaleListing(listing, 'owner', seen)
    const at = timestamp(deps.now())
    const next: Listing = {
      ...listing,
      status: 'ARCHIVED',
      revision: null,
      updatedAt: at,
      version: listing.version + 1,
    }
    await deps.listings.commit(moveWrites(deps, listing, next, at, ownMotive(userId)))
  })
