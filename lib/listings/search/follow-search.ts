import { isOnline, Listing } from '../listing.ts'
import type { ListingStore } from '../listing-store.ts'
import { entryOf } from './search-entry.ts'
import type { SearchIndex } from './search-index.ts'

/** The attributes of a changed listing that concern search. */
const Indexed = Listing.pick({ id: true, status: true, availability: true, indexedAs: true })

/** A listing before and after a change, as the table's stream reports it. */
type Change = { before: unknown; after: unknown }

type Deps = { listings: Pick<ListingStore, 'get'>; index: SearchIndex }

/**
 * Keeps the search lists in step with a listing. Removes the entries of a listing that is offline, and entries that
 * the listing no longer names; writes the entries of a listing that came back online unchanged. Safe to repeat.
 */
export async function followSearch({ listings, index }: Deps, change: Change): Promise<void> {
  const [before, after] = [Indexed.parse(change.before), Indexed.parse(change.after)]
  if (isOnline(before) === isOnline(after) && before.indexedAs === after.indexedAs) return
  if (before.indexedAs === null && after.indexedAs === null) return
  const listing = await listings.get(after.id)
  if (!listing) return
  const entry = entryOf(listing)
  const hasReturned = isOnline(after) && after.indexedAs === before.indexedAs
  if (entry && isOnline(listing) && hasReturned) await index.enter(entry)
  for (const entered of await index.entered(listing.id)) {
    const isCurrent = isOnline(listing) && entered.by === listing.indexedAs
    // Entries of a later version belong to a commit that is about to happen.
    const isComing = entered.version > listing.version
    if (!isCurrent && !isComing) await index.remove(entered)
  }
}
