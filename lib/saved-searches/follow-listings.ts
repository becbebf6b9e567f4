import { Listing } from '#lib/listings/listing'
import { storedRowOf } from '#lib/listings/search/search-row'
import type { MatchStore } from './saved-search.ts'

type Deps = { matches: Pick<MatchStore, 'addChanged' | 'commit'> }

/** Has a listing matched that became public, or whose public values changed. Repeated, it is matched again to no effect. */
export async function followListings(
  { matches }: Deps,
  change: { before: unknown; after: unknown },
): Promise<void> {
  const before = Listing.safeParse(change.before).data
  const after = Listing.safeParse(change.after).data
  const [old, row] = [storedRowOf(before), storedRowOf(after)]
  if (!after || row === null || row === old) return
  const seen = before && old !== null ? before : null
  // The moment of the change, not of its delivery: a search made in between has not missed it.
  await matches.commit([matches.addChanged({ listingId: after.id, at: after.updatedAt, before: seen })])
}
