import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { isOnline, type Listing } from '../listing.ts'
import type { ListingStore } from '../listing-store.ts'
import { entryOf, isFoundAlike, type SearchEntry } from './search-entry.ts'
import type { SearchIndex } from './search-index.ts'

type Deps = {
  listings: Pick<ListingStore, 'get' | 'commit'>
  index: Pick<SearchIndex, 'enter' | 'remove'>
  newId: NewId
}

/**
 * Commits the next version of a listing and answers the version committed. Search entries are written before the commit
 * when the listing comes online or its searchable values change. The entries have a new id, which the committed listing
 * names in `indexedAs`: search finds the listing by its new values from the moment of the commit, and no longer by the
 * old ones. `followSearch` removes the old entries later.
 */
export async function commitFound(
  deps: Deps,
  seen: Listing,
  next: Listing,
  writes: (next: Listing) => Write[],
): Promise<Listing> {
  const mayReturn = next.status === 'PUBLISHED' || next.status === 'SUSPENDED'
  const isSame = seen.indexedAs !== null && isFoundAlike(seen, next) && (isOnline(seen) || !isOnline(next))
  if (!isSame && mayReturn) return commitReindexed(deps, next, writes)
  await deps.listings.commit(writes(next))
  return next
}

/**
 * Commits the next version of a listing under a new `indexedAs`, and answers the version committed. The entries of an
 * online listing are written first, and removed again when the commit fails.
 */
export async function commitReindexed(
  deps: Deps,
  next: Listing,
  writes: (next: Listing) => Write[],
): Promise<Listing> {
  const named = { ...next, indexedAs: deps.newId('searchEntry') }
  const entry = isOnline(next) ? entryOf(named) : undefined
  if (entry) await deps.index.enter(entry)
  try {
    await deps.listings.commit(writes(named))
  } catch (error) {
    if (entry) await removeUnnamed(deps, entry).catch(() => undefined)
    throw error
  }
  return named
}

/**
 * Removes the entries of a commit that failed. `followSearch` may already have run for the commit that won, and would
 * not remove them. A commit whose answer was lost may have succeeded: then the listing names the entries, and they stay.
 */
async function removeUnnamed({ listings, index }: Deps, entry: SearchEntry): Promise<void> {
  const listing = await listings.get(entry.listingId)
  if (listing?.indexedAs !== entry.by) await index.remove(entry)
}
