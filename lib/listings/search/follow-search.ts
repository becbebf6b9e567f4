import * as z from 'zod'
import { ListingId, SearchEntryId } from '#lib/kernel/id'
import { ListingStatus } from '../listing.ts'
import type { ListingStore } from '../listing-store.ts'
import { entryOf } from './search-entry.ts'
import type { SearchIndex } from './search-index.ts'

/** What of a listing's change concerns search. */
const Seen = z.object({ id: ListingId, status: ListingStatus, indexedAs: SearchEntryId.nullable() })

/** A listing before and after a change, as the table's stream tells of it. */
type Change = { before: unknown; after: unknown }

type Deps = { listings: Pick<ListingStore, 'get'>; index: SearchIndex }

/**
 * Lets the lists follow a listing: once it is not public any more, or is found by something else now, what was
 * written is taken out of them; when it comes back as it was, because its agent did, it is put in again. Safe to
 * repeat.
 */
export async function followSearch({ listings, index }: Deps, change: Change): Promise<void> {
  const [was, is] = [Seen.parse(change.before), Seen.parse(change.after)]
  if (was.status === is.status && was.indexedAs === is.indexedAs) return
  if (was.indexedAs === null && is.indexedAs === null) return
  const listing = await listings.get(is.id)
  if (!listing) return
  const isLive = listing.status === 'PUBLISHED'
  const entry = entryOf(listing)
  const hasReturned = is.status === 'PUBLISHED' && is.indexedAs === was.indexedAs
  if (entry && isLive && hasReturned) await index.enter(entry)
  for (const entered of await index.entered(listing.id)) {
    const isCurrent = isLive && entered.by === listing.indexedAs
    // Written for a version still to come: somebody is about to commit it.
    const isComing = entered.version > listing.version
    if (!isCurrent && !isComing) await index.remove(entered)
  }
}
