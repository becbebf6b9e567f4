import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Listing } from '../listing.ts'
import type { ListingStore } from '../listing-store.ts'
import { entryOf, isFoundAlike, type SearchEntry } from './search-entry.ts'
import type { SearchIndex } from './search-index.ts'

type Deps = {
  listings: Pick<ListingStore, 'get' | 'commit'>
  index: Pick<SearchIndex, 'enter' | 'remove'>
  newId: NewId
}

/**
 * Commits the next version of a listing and answers it. When it goes live, or is found by something else than
 * before, what it is found by is written first, under a name of its own that the listing takes with it. So it is
 * found by its new values from the moment it has them, and never by its old ones: those stand in the lists a
 * little longer, but the listing names them no more, and `followSearch` takes them away. What a commit that fails
 * has left is taken away at once.
 */
export async function commitFound(
  deps: Deps,
  seen: Listing,
  next: Listing,
  writes: (next: Listing) => Write[],
): Promise<Listing> {
  const isLive = next.status === 'PUBLISHED'
  const mayReturn = next.status === 'SUSPENDED'
  const isSame =
    seen.indexedAs !== null && isFoundAlike(seen, next) && (seen.status === 'PUBLISHED' || !isLive)
  const named = isSame || !(isLive || mayReturn) ? next : { ...next, indexedAs: deps.newId('event') }
  const entry = isLive && named !== next ? entryOf(named) : null
  if (entry) await deps.index.enter(entry)
  try {
    await deps.listings.commit(writes(named))
  } catch (error) {
    if (entry) await takeAway(deps, entry).catch(() => undefined)
    throw error
  }
  return named
}

/**
 * Whoever was faster may have had the lists followed while this was being written: what came after would stay. A
 * commit whose answer was lost has failed only for us.
 */
async function takeAway({ listings, index }: Deps, entry: SearchEntry): Promise<void> {
  const listing = await listings.get(entry.listingId)
  if (listing?.indexedAs !== entry.by) await index.remove(entry)
}
