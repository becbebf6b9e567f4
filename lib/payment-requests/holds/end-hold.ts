import type { Clock } from '#lib/kernel/clock'
import type { AvailabilityFollower } from '#lib/listings/moves/set-availability'
import { isBeingPaid, isHeld, withoutHolder } from './hold.ts'
import type { HoldStore } from './hold-store.ts'

/**
 * Ends the hold of a listing when its owner sets TAKEN or AVAILABLE, unless a payment of the hold is PENDING or PROCESSING.
 */
export const endHold =
  ({ holds, now }: { holds: HoldStore; now: Clock }): AvailabilityFollower =>
  async (listingId, state) => {
    if (state !== 'TAKEN' && state !== 'AVAILABLE') return []
    const seen = await holds.get(listingId)
    if (!isHeld(seen, now()) || isBeingPaid(seen, now())) return []
    return [holds.replace(seen, withoutHolder(seen))]
  }
