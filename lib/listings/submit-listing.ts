import { timestamp } from '#lib/kernel/clock'
import { DomainError, type FieldError } from '#lib/kernel/domain-error'
import type { ListingId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { ListingFields } from './fields.ts'
import { getOwnListing } from './get-listing.ts'
import type { Listing } from './listing.ts'
import { type ListingDeps, moveWrites } from './move-listing.ts'
import { refuseOtherMoves } from './transitions.ts'

/**
 * Hands a draft, or a rejected listing, to the moderators. Waiting already: nothing changes. Throws
 * `listing_incomplete` naming everything that is missing, and `listing_transition_not_allowed`.
 */
export const submitListing = (deps: ListingDeps, userId: UserId, id: ListingId) =>
  retryConflicts(async () => {
    const { listing, owner } = await getOwnListing(deps, { kind: 'user', userId }, id)
    if (listing.status === 'PENDING_REVIEW') return { listing, owner }
    refuseOtherMoves(listing.status, 'PENDING_REVIEW')
    refuseIncomplete(listing)
    const at = timestamp(deps.now())
    const next: Listing = {
      ...listing,
      status: 'PENDING_REVIEW',
      submittedAt: at,
      updatedAt: at,
      version: listing.version + 1,
    }
    await deps.listings.commit(
      moveWrites(deps, listing, next, at, { by: userId, reasons: [], message: null, note: null }),
    )
    return { listing: next, owner }
  })

/** What publication needs and a listing does not say. */
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
