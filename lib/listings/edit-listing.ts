import { isDeepStrictEqual } from 'node:util'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId, UserId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts, type Sleep } from '#lib/kernel/retry'
import type { SeenVersion } from '#lib/kernel/version'
import { isLive, nullIfEmpty, refuseArchived } from '#lib/listings/media/change-media'
import { changeEvents } from './change-events.ts'
import { countChange } from './change-limits.ts'
import { completeFields, FIELD_NAMES, type ListingFields, type ListingPatch, ShownFields } from './fields.ts'
import { type Listing, withPriceRecorded } from './listing.ts'
import type { ListingReader } from './listing-store.ts'
import { refuseStaleListing } from './listing-version.ts'
import type { Location } from './location.ts'
import type { ListingDeps } from './moves/move-listing.ts'
import { missingFields } from './moves/submit-listing.ts'
import { getOwnListing } from './read-listing.ts'
import { refuseTakenReference } from './reference.ts'

type Deps = ListingDeps & {
  listings: ListingReader
  quotas: Quotas
  sleep: Sleep
}

/**
 * Changes a listing of the caller's. On a published or suspended listing price and reference change at once. Every other
 * changed field becomes pending in the revision, and a field that is changed back leaves the revision. A patch that
 * changes nothing makes no new version. Throws `listing_incomplete` if a listing in review or live would lose a field
 * that publication needs, `version_conflict` with the version of the owner's view, `reference_taken`,
 * `listing_transition_not_allowed` and `too_many_requests`.
 */
export const editListing = (
  deps: Deps,
  userId: UserId,
  id: ListingId,
  patch: ListingPatch,
  seen: SeenVersion,
) =>
  retryConflicts(async (isRetry) => {
    const { listing, owner } = await getOwnListing(deps, { kind: 'user', userId }, id)
    refuseStaleListing(listing, 'owner', seen)
    refuseArchived(listing)
    const wanted = fieldsAfter(listing, patch)
    refuseIncompleteEdit(listing, wanted)
    const at = timestamp(deps.now())
    const reference = patch.reference === undefined ? listing.reference : patch.reference
    const edited = {
      ...(isLive(listing) ? editLive(listing, wanted, at) : { ...listing, ...wanted }),
      reference,
    }
    if (isDeepStrictEqual(edited, listing)) return { listing, owner }
    // The write itself checks the reference. After a conflict this look-up tells whether the reference was the reason.
    if (isRetry) await refuseTakenReference(deps.listings, edited)
    const changed = { ...edited, updatedAt: at, version: listing.version + 1 }
    const next = withPriceRecorded(listing, changed, at)
    await deps.listings.commit([
      ...deps.listings.replace(listing, next),
      ...changeEvents(deps.newId, listing, next),
      ...countChange(deps, listing, next),
    ])
    return { listing: next, owner }
  }, deps.sleep)

/** Applies the pending changes and then the patch to the fields of a listing. */
function fieldsAfter(listing: Listing, patch: ListingPatch): ListingFields {
  const pendingFields = listing.revision?.changes ?? {}
  return completeFields({
    ...listing,
    ...pendingFields,
    ...patch,
    // Required fields: to the compiler the spreads alone might leave them undefined.
    offer: patch.offer ?? pendingFields.offer ?? listing.offer,
    category: patch.category ?? pendingFields.category ?? listing.category,
    // Null in a pending change to `sale`: once changed back to `rent`, the listing has its published period again.
    rentPeriod:
      patch.rentPeriod === undefined ? (pendingFields.rentPeriod ?? listing.rentPeriod) : patch.rentPeriod,
  })
}

/** Returns a live listing with its new price, and with every other changed field in its revision. */
function editLive(seen: Listing, wanted: ListingFields, at: Timestamp): Listing {
  const listing = { ...seen, location: coarsenedLocation(seen, wanted), price: wanted.price }
  const changed = FIELD_NAMES.filter((field) => !isDeepStrictEqual(wanted[field], listing[field]))
  const changes = ShownFields.partial().parse(
    Object.fromEntries(changed.map((field) => [field, wanted[field]])),
  )
  const submittedAt = listing.revision?.submittedAt ?? at
  // Media that wait for a moderator keep a revision without changed fields.
  return { ...listing, revision: nullIfEmpty({ changes, submittedAt }, listing.media) }
}

/**
 * Returns the location that customers see. A change to `approximate` applies at once, since it hides the exact place; any
 * other change waits in the revision.
 */
const coarsenedLocation = ({ location }: Listing, wanted: ListingFields): Location | null =>
  location && wanted.location?.precision === 'approximate'
    ? { ...location, precision: 'approximate' }
    : location

/** Throws `listing_incomplete` when a listing that moderators or customers see would lose a field that it needs. */
function refuseIncompleteEdit(listing: Listing, wanted: ListingFields): void {
  if (listing.status === 'DRAFT' || listing.status === 'REJECTED') return
  const missingBefore = new Set(missingFields(listing).map(({ path }) => path))
  const newlyMissing = missingFields(wanted).filter(({ path }) => !missingBefore.has(path))
  if (newlyMissing.length === 0) return
  const names = newlyMissing.map(({ path }) => path).join(', ')
  throw new DomainError('listing_incomplete', { detail: `It needs its ${names}`, errors: newlyMissing })
}
