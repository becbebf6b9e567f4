import type { ListingId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { pauseAbout, retryConflicts } from '#lib/kernel/retry'
import { WriteConflict } from '#lib/kernel/write'
import { ListingStatus } from './listing.ts'
import { ListingCounts, totalOf } from './listing-counts.ts'
import type { ListingReader, ListingStore, StoredCounts } from './listing-store.ts'

/** The pause in which an index usually catches up with the records. */
const INDEX_LAG_MILLISECONDS = 1000

type Deps = { listings: ListingStore }

/**
 * Counts an agent's listings again and corrects wrong counters. Returns whether any was wrong. The index that lists the
 * listings may lag: different counts are compared once more after a pause. Safe to repeat, and while listings change.
 */
export const recountListings = ({ listings }: Deps, agentId: UserId): Promise<boolean> =>
  retryConflicts(async (isRetry) => {
    const seen = await listings.storedCounts(agentId)
    if (isRetry) await pauseAbout(INDEX_LAG_MILLISECONDS)
    const counts = await countsNow(listings, agentId)
    if (isSame(seen, counts)) return false
    if (!isRetry) throw new WriteConflict('The index may be behind the counters')
    await listings.commit([listings.setCounts(agentId, seen, counts)])
    return true
  })

async function countsNow(listings: ListingReader, agentId: UserId): Promise<ListingCounts> {
  const all = await allPages((after: ListingId | undefined) =>
    listings.byAgent(agentId, { limit: PAGE_SIZE, after }),
  )
  return ListingCounts.parse(
    Object.fromEntries(
      ListingStatus.options.map((status) => [status, all.filter((one) => one.status === status).length]),
    ),
  )
}

const isSame = (seen: StoredCounts | undefined, counts: ListingCounts): boolean =>
  (seen?.total ?? 0) === totalOf(counts) &&
  ListingStatus.options.every((status) => (seen?.[status] ?? 0) === counts[status])
