import * as z from 'zod'
import type { Item } from '#lib/dynamo/item'
import { ListingStatus } from './listing.ts'
import { ListingCounts } from './listing-counts.ts'
import type { StoredCounts } from './listing-store.ts'

/** The counter of an owner's calls that set a listing's availability. */
export const Calls = z.object({ calls: z.int() })

/**
 * Returns an agent's counts. A missing counter is 0, and so is a negative one: its listings left the status, but were
 * made before listings were counted.
 */
export const countsOf = (item: Item = {}): ListingCounts =>
  ListingCounts.parse(
    Object.fromEntries(
      ListingStatus.options.map((status) => [status, Math.max(0, Number(item[status] ?? 0))]),
    ),
  )

const count = z.int().optional()
const CountersItem = z.object({
  DRAFT: count,
  PENDING_REVIEW: count,
  PUBLISHED: count,
  REJECTED: count,
  SUSPENDED: count,
  ARCHIVED: count,
  total: count,
})

/** Returns an agent's counters as they are stored: negative ones too, and undefined for each missing one. */
export const storedCountsOf = (item: Item): StoredCounts => {
  const { DRAFT, PENDING_REVIEW, PUBLISHED, REJECTED, SUSPENDED, ARCHIVED, total } = CountersItem.parse(item)
  return { DRAFT, PENDING_REVIEW, PUBLISHED, REJECTED, SUSPENDED, ARCHIVED, total }
}
