import { type ListingLimits, limitsOf } from '#lib/accounts/listing-limits'
import { timestamp } from '#lib/kernel/clock'
import { DomainError, type FieldError } from '#lib/kernel/domain-error'
import type { ListingId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { ListingFields } from '../fields.ts'
import type { Listing } from '../listing.ts'
import { refuseAnotherReview } from '../listing-counts.ts'
import type { ListingReader } from '../listing-store.ts'
import { getOwnListing } from '../read-listing.ts'
import { type ListingDeps, type MoveDeps, moveWrites, ownMotive } from './move-listing.ts'
import { requireAllowedMove } from './transitions.ts'

/**
 * Submits a draft or a rejected listing for review. A listing already in review does not change. Throws
 * `listing_incomplete` naming every missing field, `review_limit_reached` and `listing_transition_not_allowed`.
 */
export const submitListing = (
  deps: ListingDeps & MoveDeps & { listings: ListingReader; limits: ListingLimits },
  userId: UserId,
  id: ListingId,
) =>
  retryConflicts(async (isRetry) => {
    const { listing, owner } = await getOwnListing(deps, { kind: 'user', userId }, id)
    if (listing.status === 'PENDING_REVIEW') return { listing, owner }
    requireAllowedMove(listing.status, 'PENDING_REVIEW')
    refuseIncomplete(listing)
    const { inReview } = limitsOf(owner, deps.limits)
    // The write itself checks the limit. After a conflict the counters tell whether the limit was the reason.
    if (isRetry) refuseAnotherReview(await deps.listings.counts(listing.agentId), { inReview })
    const at = timestamp(deps.now())
    const next: Listing = {
      ...listing,
      status: 'PENDING_REVIEW',
      submittedAt: at,
      updatedAt: at,
      version: listing.version + 1,
    }
    const limits = { PENDING_REVIEW: inReview }
    await deps.listings.commit(moveWrites(deps, listing, next, at, ownMotive(userId), limits))
    return { listing: next, owner }
  })

/** Returns the fields that a listing needs for publication and does not have. */
export const missingFields = (listing: ListingFields): FieldError[] =>
  (['title', 'description', 'price', 'location'] as const)
    .filter((field) => listing[field] === null)
    .map((path) => ({ path, code: 'required', message: 'is required' }))

function refuseIncomplete(listing: Listing): void {
  const missing = missingFields(listing)
  if (!listing.media.some(({ kind, status }) => kind === 'image' && status !== 'REJECTED')) {
    missing.push({ path: 'media', code: 'required', message: 'needs at least one picture' })
  }
  if (missing.length === 0) return
  const names = missing.map(({ path }) => path).join(', ')
  throw new DomainError('listing_incomplete', { detail: `Still missing: ${names}`, errors: missing })
}
