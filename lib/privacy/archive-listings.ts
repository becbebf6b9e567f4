import { isDeepStrictEqual } from 'node:util'
import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import type { ListingId, NewId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { pauseAbout, retryConflicts } from '#lib/kernel/retry'
import { WriteConflict } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import { totalOf } from '#lib/listings/listing-counts'
import type { ListingStore } from '#lib/listings/listing-store'
import { moveWrites } from '#lib/listings/moves/move-listing'

/** The pause before an index is read again. */
const INDEX_LAG_MILLISECONDS = 500

type Deps = {
  listings: ListingStore
  now: Clock
  newId: NewId
}

/**
 * Archives a person's listings without what names a place or holds the person's words: all of them, or those made until a
 * moment. Removes exact place, description, reference and media also from those that are archived already. `reason` is
 * stored in their history. Safe to repeat. The index that lists them may lag: it is read again until it shows as many as
 * the agent's counters say. Throws `unavailable` when it lags for longer than some seconds.
 */
export const archiveListings = (
  deps: Deps,
  userId: UserId,
  reason: 'owner_deleted' | 'account_taken_back',
  madeUntil?: Timestamp,
): Promise<void> =>
  retryConflicts(async () => {
    const shown = await allPages((after: ListingId | undefined) =>
      deps.listings.byAgent(userId, { limit: PAGE_SIZE, after }),
    )
    const due = shown.filter(({ createdAt }) => madeUntil === undefined || createdAt <= madeUntil)
    // Each archiving writes the agent's counters: several at once would wait for each other.
    await inParallel(due, (listing) => archive(deps, listing, reason), { width: 1 })
    if (totalOf(await deps.listings.counts(userId)) > shown.length) {
      await pauseAbout(INDEX_LAG_MILLISECONDS)
      throw new WriteConflict('The index does not show every listing yet')
    }
  })

const archive = ({ listings, now, newId }: Deps, seen: Listing, reason: string): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const listing = isRetry ? await listings.get(seen.id) : seen
    if (!listing) return
    const erased = withoutParticulars(listing)
    const isArchived = listing.status === 'ARCHIVED'
    if (isArchived && isDeepStrictEqual(erased, listing)) return
    const at = timestamp(now())
    const next: Listing = {
      ...erased,
      status: 'ARCHIVED',
      revision: null,
      version: listing.version + 1,
      updatedAt: at,
    }
    const motive = { by: 'system', reasons: [reason], message: null, note: null }
    const writes = isArchived
      ? listings.replace(listing, next)
      : moveWrites({ listings, newId }, listing, next, at, motive)
    await listings.commit(writes)
  })

/** Returns a listing without exact place, description, reference and media. `followListings` removes the files. */
const withoutParticulars = (listing: Listing): Listing => ({
  ...listing,
  reference: null,
  description: null,
  location: listing.location && { ...listing.location, address: null, lat: null, lng: null },
  media: [],
})
