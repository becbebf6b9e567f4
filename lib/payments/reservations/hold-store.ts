import type { ListingId, PaymentId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Hold } from './hold.ts'

/** Where holds on listings are stored. Reads are consistent; writes are values for `commit`. */
export type HoldStore = {
  get: (listingId: ListingId) => Promise<Hold | undefined>
  /** Stores a hold in the place of the one that was seen; a `WriteConflict` where another payment has taken it since. */
  put: (seen: Hold | undefined, next: Hold) => Write
  /** Stores how often the owner had called when the success of a hold's payment made the listing UNDER_OFFER. */
  offered: (seen: Hold, calls: number) => Write
  /** Stores that a success waits for the release of a hold; a `WriteConflict` where the hold was released since. */
  wait: (seen: Hold, paymentId: PaymentId) => Write
  /** Removes a hold, unless another payment has taken it, or begun to wait for it, since. */
  remove: (seen: Hold) => Write
}
