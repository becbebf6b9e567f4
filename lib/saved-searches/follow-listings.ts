import { Listing } from '#lib/listings/listing'
import { storedRowOf } from '#lib/listings/search/search-row'
import type { MatchStore } from './saved-search.ts'

type Deps = { matches: MatchStore }

/** Queues a listing that became public, or whose public values changed, for matching. Matching it twice has no effect. */
export async function followListings(
  { matches }: Deps,
  change: { before: unknown; after: unknown },
): Promise<void> {
  const before = Listing.safeParse(change.before).data
  const after = Listing.safeParse(change.after).data
  // A row is the JSON of a listing's public values; null for a listing that is not public.
  const [old, row] = [storedRowOf(before), storedRowOf(after)]
  if (!after || row === null || row === old) return
  const publicBefore = before && old !== null ? before : null
  // The time of the change, not of its delivery: a search that was saved after the change does not match it.
  const { id: listingId, version, updatedAt: at } = after
  await matches.commit([matches.addChanged({ listingId, version, at, before: publicBefore })])
}
