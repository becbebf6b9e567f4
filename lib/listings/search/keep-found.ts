import type { NewId } from '#lib/kernel/id'
import type { Listing } from '../listing.ts'
import { entryOf, isFoundAlike } from './search-entry.ts'
import type { SearchIndex } from './search-index.ts'

type Deps = { index: Pick<SearchIndex, 'enter'>; newId: NewId }

/**
 * The next version of a listing as it may be committed: when it goes live, or is found by something else than
 * before, what it is found by is written first, under a name of its own that the listing takes with it. So it is
 * found by its new values from the moment it has them, and never by its old ones: those stand in the lists a
 * little longer, but the listing names them no more. What a commit that fails has left is dropped in the same way,
 * and taken away by `followSearch`.
 */
export async function keptFound({ index, newId }: Deps, seen: Listing, next: Listing): Promise<Listing> {
  const isLive = next.status === 'PUBLISHED'
  const mayReturn = next.status === 'SUSPENDED'
  const isSame =
    seen.indexedAs !== null && isFoundAlike(seen, next) && (seen.status === 'PUBLISHED' || !isLive)
  if (isSame || !(isLive || mayReturn)) return next
  const named: Listing = { ...next, indexedAs: newId('event') }
  const entry = entryOf(named)
  if (isLive && entry) await index.enter(entry)
  return named
}
