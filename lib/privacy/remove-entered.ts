import { isEnteredIn, type Restoration } from '#lib/accounts/addresses/restoration'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { removeEnquiry } from '#lib/enquiries/remove-enquiry'
import { eraseFavourites } from '#lib/favourites/erase-favourites'
import type { FavouriteStore } from '#lib/favourites/favourite'
import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import type { ListingId, NewId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { emptiedFields } from '#lib/listings/fields'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { moveWrites } from '#lib/listings/moves/move-listing'
import { eraseSavedSearches } from '#lib/saved-searches/erase-saved-searches'
import type { MatchStore, SavedSearchStore } from '#lib/saved-searches/saved-search'

type Deps = {
  listings: ListingStore
  enquiries: EnquiryStore
  favourites: FavouriteStore
  searches: SavedSearchStore
  matches: MatchStore
  now: Clock
  newId: NewId
}

/**
 * Removes what was entered in an account between a change of its address and the undoing of that change,
 * since it may be another person's: enquiries, favourites and saved searches. Drafts are archived without their words,
 * numbers and media. Safe to repeat.
 */
export async function removeEntered(deps: Deps, restoration: Restoration): Promise<void> {
  const { userId } = restoration
  const isEntered = (moment: Timestamp) => isEnteredIn(restoration, moment)
  const listings = await allPages((after: ListingId | undefined) =>
    deps.listings.byAgent(userId, { limit: PAGE_SIZE, after }),
  )
  const drafts = listings.filter(({ status, createdAt }) => status === 'DRAFT' && isEntered(createdAt))
  // Each archiving writes the agent's counters: several at once would wait for each other.
  await inParallel(drafts, (draft) => archiveEmpty(deps, draft), { width: 1 })
  const enquiries = await allPages((after: string | undefined) =>
    deps.enquiries.ofUser(userId, 'customer', { limit: PAGE_SIZE, after }),
  )
  const entered = enquiries.filter(({ enquiry }) => isEntered(enquiry.createdAt))
  await inParallel(entered, ({ enquiry }) => removeEnquiry(deps, enquiry), { width: 1 })
  await eraseFavourites(deps, userId, isEntered)
  await eraseSavedSearches(deps, userId, isEntered)
}

const archiveEmpty = (deps: Deps, seen: Listing): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const listing = isRetry ? await deps.listings.get(seen.id) : seen
    if (listing?.status !== 'DRAFT') return
    const at = timestamp(deps.now())
    const next: Listing = {
      ...listing,
      ...emptiedFields(listing),
      reference: null,
      // `followListings` removes the files.
      media: [],
      status: 'ARCHIVED',
      version: listing.version + 1,
      updatedAt: at,
    }
    const motive = { by: 'system', reasons: ['email_change_undone'], message: null, note: null }
    await deps.listings.commit(moveWrites(deps, listing, next, at, motive))
  })
