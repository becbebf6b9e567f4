import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import type { ListingId, NewId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { pauseAbout, retryConflicts } from '#lib/kernel/retry'
import { WriteConflict } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { moveWrites } from '#lib/listings/move-listing'

/** The pause before an index is read again. */
const INDEX_LAG_MILLISECONDS = 500

type Deps = {
  listings: Pick<
    ListingStore,
    'get' | 'byAgent' | 'replace' | 'recordMove' | 'counts' | 'countMove' | 'commit'
  >
  now: Clock
  newId: NewId
}

/**
 * Archives a person's listings: all of them, or those made until a moment. `reason` is stored in their history. Safe
 * to repeat. The index that lists them may lag: it is read again until it shows as many as the agent's counters say.
 * Throws `unavailable` when it lags for longer than some seconds.
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
    const isDue = ({ createdAt }: Listing) => madeUntil === undefined || createdAt <= madeUntil
    // Each archiving writes the agent's counters: several at once would wait for each other.
    await inParallel(shown.filter(isDue), (listing) => archive(deps, listing, reason), { width: 1 })
    const left = shown.filter((listing) => !isDue(listing) && listing.status !== 'ARCHIVED')
    const { ARCHIVED: _archived, ...others } = await deps.listings.counts(userId)
    const unarchivedCount = Object.values(others).reduce((sum, count) => sum + count, 0)
    // A listing that the index does not show is counted as unarchived, and is not among those left.
    if (unarchivedCount > left.length) {
      await pauseAbout(INDEX_LAG_MILLISECONDS)
      throw new WriteConflict('The index does not show every listing yet')
    }
  })

const archive = (deps: Deps, seen: Listing, reason: string): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const listing = isRetry ? await deps.listings.get(seen.id) : seen
    if (!listing || listing.status === 'ARCHIVED') return
    const at = timestamp(deps.now())
    const next: Listing = {
      ...listing,
      status: 'ARCHIVED',
      revision: null,
      version: listing.version + 1,
      updatedAt: at,
    }
    const motive = { by: 'system', reasons: [reason], message: null, note: null }
    await deps.listings.commit(moveWrites(deps, listing, next, at, motive))
  })
