import type { ListingId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Hold } from './hold.ts'

/** Where holds on listings are stored. Reads are consistent; writes are values for `commit`. */
export type HoldStore = {
  get: (listingId: ListingId) => Promise<Hold | undefined>
  /** Stores a hold in the place of the one that was seen; a `WriteConflict` where another payment has taken it since. */
  put: (seen: Hold | undefined, next: Hold) => Write
  /** Removes a hold, unless another payment has taken it since. */
  remove: (seen: Hold) => Write
}
