import type { AccountReader } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId, MediaId, NewId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import type { SeenVersion } from '#lib/kernel/version'
import { mediaEvents } from '#lib/listings/change-events'
import { countChange } from '#lib/listings/change-limits'
import type { ListingStore } from '#lib/listings/listing-store'
import { refuseStaleListing } from '#lib/listings/listing-version'
import { getOwnListing } from '#lib/listings/read-listing'
import type { ListingCaller } from '#lib/listings/viewer'
import type { VariantStore } from '#lib/media/store/variant-store'
import { isLive, refuseArchived, withMedia } from './change-media.ts'
import { isReadyPicture, originalOf } from './media.ts'
import type { WaitingMedia } from './waiting-media.ts'

type Deps = {
  listings: ListingStore
  accounts: AccountReader
  variants: Pick<VariantStore, 'removeAll'>
  waiting: WaitingMedia
  quotas: Quotas
  now: Clock
  newId: NewId
}

/**
 * Removes a media item from its listing, and then its variants from the store; if that fails, `followListings` removes
 * them. Throws `media_required` for the last ready picture of a live listing, `listing_transition_not_allowed` for
 * an archived one, and `too_many_requests`.
 */
export async function deleteMedia(
  deps: Deps,
  caller: NonNullable<ListingCaller>,
  listingId: ListingId,
  mediaId: MediaId,
  seen: SeenVersion,
): Promise<void> {
  const { agentId, deleted } = await retryConflicts(async () => {
    const { listing, viewer } = await getOwnListing(deps, caller, listingId)
    refuseStaleListing(listing, viewer, seen)
    refuseArchived(listing)
    const deleted = listing.media.find(({ id }) => id === mediaId)
    if (!deleted) throw new DomainError('not_found')
    const kept = listing.media.filter((media) => media !== deleted)
    if (isLive(listing) && isReadyPicture(deleted) && !kept.some(isReadyPicture)) {
      throw new DomainError('media_required')
    }
    const next = withMedia(listing, kept, deps.now())
    // A write of the whole listing conflicts with every other change. It is needed where the caller requires a version, and
    // where simultaneous requests may delete the last two pictures.
    const isExclusive = seen !== undefined || (isLive(listing) && isReadyPicture(deleted))
    const { replace, changeMedia } = deps.listings
    await deps.listings.commit([
      ...(isExclusive ? replace(listing, next) : [changeMedia(listing, next)]),
      ...mediaEvents(deps, listing, next),
      ...(deleted.status === 'PROCESSING'
        ? [deps.waiting.leave({ listingId, mediaId, since: deleted.createdAt })]
        : []),
      // An administrator's deletions are not counted.
      ...(viewer === 'owner' ? countChange(deps, listing, next) : []),
    ])
    return { agentId: listing.agentId, deleted }
  })
  await deps.variants.removeAll(agentId, originalOf(listingId, deleted))
}
