import { timestamp } from '#lib/kernel/clock'
import type { ListingId, UserId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import type { SeenVersion } from '#lib/kernel/version'
import { changeEvents } from '../change-events.ts'
import { countChange } from '../change-limits.ts'
import { refuseStaleListing } from '../listing-version.ts'
import { getOwnListing } from '../read-listing.ts'
import { withoutRevision } from '../revision.ts'
import type { ListingDeps } from './move-listing.ts'

/**
 * Withdraws the pending revision of a listing of the caller's: changed fields, added media and new captions.
 * `followListings` removes the bytes of the media. Without a revision nothing changes. Throws `version_conflict`
 * with the version of the owner's view, and `too_many_requests`.
 */
export const withdrawRevision = (
  deps: ListingDeps & { quotas: Quotas },
  userId: UserId,
  id: ListingId,
  seen: SeenVersion,
): Promise<void> =>
  retryConflicts(async () => {
    const { listing } = await getOwnListing(deps, { kind: 'user', userId }, id)
    refuseStaleListing(listing, 'owner', seen)
    if (listing.revision === null) return
    const next = {
      ...withoutRevision(listing),
      updatedAt: timestamp(deps.now()),
      version: listing.version + 1,
    }
    await deps.listings.commit([
      ...deps.listings.replace(listing, next),
      ...changeEvents(deps.newId, listing, next),
      ...countChange(deps, listing, next),
    ])
  })
