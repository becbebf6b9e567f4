import type { ListingId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Hold } from './hold.ts'

/** Where holds on listings are stored. Reads are consistent; writes are values for `commit`. */
export type HoldStore = {
  /** The hold of a listing; an empty one where the listing was never held. */
  get: (listingId: ListingId) => Promise<Hold>
  /** Replaces the version that was seen. */
  replace: (seen: Hold, next: Hold) => Write
}
