import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import type { ListingId, NewId, UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { moveWrites } from '#lib/listings/move-listing'

const PAGE_SIZE = 100
const WIDTH = 10

type Deps = { listings: ListingStore; now: Clock; newId: NewId }

/**
 * Archives a person's listings: all of them, or those made until a moment. `reason` stands in their history. Safe to
 * repeat.
 */
export async function archiveListings(
  deps: Deps,
  userId: UserId,
  reason: 'owner_deleted' | 'account_taken_back',
  madeUntil?: Timestamp,
): Promise<void> {
  for (let after: ListingId | undefined; ; ) {
    const { items, next } = await deps.listings.byAgent(userId, { limit: PAGE_SIZE, after })
    const due = items.filter(({ createdAt }) => madeUntil === undefined || createdAt <= madeUntil)
    await inParallel(due, WIDTH, (listing) => archive(deps, listing, reason))
    if (next === undefined) return
    after = next
  }
}

const archive = (deps: Deps, seen: Listing, reason: string): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const listing = isRetry ? await deps.listings.get(seen.id) : seen
    if (!listing || listing.status === 'ARCHIVED') return
    const at = timestamp(deps.now())
    const next: Listing = { ...listing, status: 'ARCHIVED', version: listing.version + 1, updatedAt: at }
    const motive = { by: 'system', reasons: [reason], message: null, note: null }
    await deps.listings.commit(moveWrites(deps, listing, next, at, motive))
  })
