import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Availability, Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { ownMotive } from '#lib/listings/moves/move-listing'
import { availabilityWrites } from '#lib/listings/moves/set-availability'
import type { Followed } from '#lib/payments/change/change-payment'
import type { Payment } from '#lib/payments/state/payment'
import type { AttentionCode } from '#lib/payments/state/payment-status'
import {
  groundOf,
  type Hold,
  type HoldingPayment,
  isHeldByAnother,
  withoutPayment,
  withPayment,
} from './hold.ts'
import type { HoldStore } from './hold-store.ts'

export type FollowHoldDeps = {
  holds: HoldStore
  listings: ListingStore
  now: Clock
  newId: NewId
}

export const NOTHING: Followed = { writes: [], raised: [] }

/**
 * Changes the hold on a listing as a payment of a payment request changes. A payment whose money has come, or is on its
 * way, takes the hold again if nobody else has it. A payment that ends without money, or is refunded, leaves the hold.
 */
export async function followHold(
  deps: FollowHoldDeps,
  before: Payment,
  after: HoldingPayment,
): Promise<Followed> {
  const [groundBefore, ground] = [groundOf(before), groundOf(after)]
  if (!ground) return leave(deps, await deps.holds.get(after.listingId), after)
  const hasAdvanced = ground.kind !== 'pending' && ground.kind !== groundBefore?.kind
  const isReceived = ground.kind === 'paid' && hasAdvanced
  const [seen, heldListing] = await Promise.all([
    deps.holds.get(after.listingId),
    isReceived ? getHeldListing(deps, after) : null,
  ])
  const wasHolding = after.id in seen.payments
  // A payment joins the hold when it is made. A PENDING one that is no longer in it does not join again.
  if (!wasHolding && !hasAdvanced) return NOTHING
  const mayHold = wasHolding || !isHeldByAnother(seen, after.userId, deps.now())
  const joined = mayHold ? withPayment(seen, after, ground) : seen
  if (heldListing) return receive(deps, seen, joined, after, heldListing)
  return isDeepStrictEqual(joined, seen)
    ? NOTHING
    : { writes: [deps.holds.replace(seen, joined)], raised: [] }
}

/** A held listing, and how often its owner has called to set its availability. */
type HeldListing = { listing: Listing | undefined; calls: number }

async function getHeldListing(
  { listings }: FollowHoldDeps,
  { listingId }: HoldingPayment,
): Promise<HeldListing> {
  const [listing, calls] = await Promise.all([listings.get(listingId), listings.availabilityCalls(listingId)])
  return { listing, calls }
}

/** Returns the writes that store that the money of a payment has come. */
function receive(
  deps: FollowHoldDeps,
  seen: Hold,
  joined: Hold,
  payment: HoldingPayment,
  { listing, calls }: HeldListing,
): Followed {
  const { id, userId } = payment
  const payers = Object.values(seen.received)
  const isHolding = id in joined.payments
  const isPaidByAnother = payers.some((payer) => payer !== userId)
  // The owner may have set TAKEN for this payer, after an earlier payment.
  const isTakenByAnother = listing?.availability === 'TAKEN' && !payers.includes(userId)
  const raised: AttentionCode[] = [
    ...(isHolding ? [] : (['listing_held_by_another'] as const)),
    ...(isPaidByAnother ? (['listing_paid_twice'] as const) : []),
    ...(isTakenByAnother ? (['listing_taken'] as const) : []),
  ]
  const next = { ...joined, received: { ...joined.received, [id]: userId } }
  const isOffered = isHolding && listing?.availability === 'AVAILABLE'
  if (!isOffered) return { writes: [deps.holds.replace(seen, next)], raised }
  const writes = [
    // If the owner's calls are still as many when the hold ends, `leave` makes the listing AVAILABLE again.
    deps.holds.replace(seen, { ...next, offeredAfterCalls: calls }),
    deps.listings.requireAvailabilityCalls(payment.listingId, calls),
    ...moveWrites(deps, listing, 'UNDER_OFFER', payment),
  ]
  return { writes, raised }
}

/**
 * Removes a payment from the hold. The hold ends with the last payment that holds the listing: a listing that the hold
 * made UNDER_OFFER is AVAILABLE again, unless the owner has set the availability since.
 */
async function leave(deps: FollowHoldDeps, seen: Hold, payment: HoldingPayment): Promise<Followed> {
  const { listings, holds } = deps
  const left = withoutPayment(seen, payment.id, deps.now())
  const hasHolder = left.userId !== null
  const isOver = payment.id in seen.payments && !hasHolder
  if (!isOver) return { writes: isDeepStrictEqual(left, seen) ? [] : [holds.replace(seen, left)], raised: [] }
  const released = holds.replace(seen, { ...left, offeredAfterCalls: null })
  const { offeredAfterCalls: calls } = seen
  if (calls === null) return { writes: [released], raised: [] }
  const { listing, calls: callsNow } = await getHeldListing(deps, payment)
  if (listing?.availability !== 'UNDER_OFFER' || callsNow !== calls) return { writes: [released], raised: [] }
  const sameCalls = listings.requireAvailabilityCalls(payment.listingId, calls)
  return { writes: [released, sameCalls, ...moveWrites(deps, listing, 'AVAILABLE', payment)], raised: [] }
}

function moveWrites(
  deps: FollowHoldDeps,
  listing: Listing,
  availability: Availability,
  { updatedAt }: Payment,
): Write[] {
  const next = { ...listing, availability, updatedAt, version: listing.version + 1 }
  return availabilityWrites(deps, listing, next, updatedAt, ownMotive('system'))
}
