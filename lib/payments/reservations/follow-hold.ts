import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Availability, Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { ownMotive } from '#lib/listings/move-listing'
import { availabilityWrites } from '#lib/listings/set-availability'
import type { Payment } from '#lib/payments/payment'
import type { AttentionCode } from '#lib/payments/payment-status'
import {
  claimOf,
  type Hold,
  type HoldingPayment,
  isHeldByAnother,
  withoutPayment,
  withPayment,
} from './hold.ts'
import type { HoldStore } from './hold-store.ts'

export type FollowHoldDeps = {
  holds: Pick<HoldStore, 'get' | 'replace'>
  listings: Pick<
    ListingStore,
    'get' | 'replace' | 'recordMove' | 'availabilityCalls' | 'requireAvailabilityCalls'
  >
  now: Clock
  newId: NewId
}

/** The consequences of a payment's change: writes of the same transaction, and why the payment now needs someone. */
export type Followed = { writes: Write[]; raised: AttentionCode[] }

export const NOTHING: Followed = { writes: [], raised: [] }

/**
 * Lets the hold on a listing follow a requested deposit or purchase. A payment whose money comes, or is on its way,
 * takes the hold again where it is free. A payment that ends, or is refunded, leaves it.
 */
export async function followHold(
  deps: FollowHoldDeps,
  before: Payment,
  after: HoldingPayment,
): Promise<Followed> {
  const [was, claim] = [claimOf(before), claimOf(after)]
  if (!claim) return leave(deps, await deps.holds.get(after.listingId), after)
  const comes = claim.kind !== 'pending' && claim.kind !== was?.kind
  const isReceived = claim.kind === 'paid' && comes
  const [seen, offer] = await Promise.all([
    deps.holds.get(after.listingId),
    isReceived ? getOffer(deps, after) : null,
  ])
  const isIn = after.id in seen.payments
  if (!isIn && !comes) return NOTHING
  const isTaken = !isIn && isHeldByAnother(seen, after.userId, deps.now())
  const joined = isTaken ? seen : withPayment(seen, after, claim)
  if (offer) return receive(deps, seen, joined, after, offer)
  return isSame(joined, seen) ? NOTHING : { writes: [deps.holds.replace(seen, joined)], raised: [] }
}

const isSame = (one: Hold, other: Hold): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A held listing, and how often its owner has set its availability. */
type Offer = { listing: Listing | undefined; calls: number }

async function getOffer({ listings }: FollowHoldDeps, { listingId }: HoldingPayment): Promise<Offer> {
  const [listing, calls] = await Promise.all([listings.get(listingId), listings.availabilityCalls(listingId)])
  return { listing, calls }
}

/** Stores that the money of a payment has come. */
function receive(
  deps: FollowHoldDeps,
  seen: Hold,
  joined: Hold,
  payment: HoldingPayment,
  { listing, calls }: Offer,
): Followed {
  const { id, userId } = payment
  const payers = Object.values(seen.received)
  const raised: AttentionCode[] = [
    ...(id in joined.payments ? [] : (['listing_held_by_another'] as const)),
    ...(payers.some((payer) => payer !== userId) ? (['listing_paid_twice'] as const) : []),
    ...(listing?.availability === 'TAKEN' && !payers.includes(userId) ? (['listing_taken'] as const) : []),
  ]
  const next = { ...joined, received: { ...joined.received, [id]: userId } }
  const isOffered = id in joined.payments && listing?.availability === 'AVAILABLE'
  if (!isOffered) return { writes: [deps.holds.replace(seen, next)], raised }
  const writes = [
    deps.holds.replace(seen, { ...next, offeredAfterCalls: calls }),
    deps.listings.requireAvailabilityCalls(payment.listingId, calls),
    ...moved(deps, listing, 'UNDER_OFFER', payment),
  ]
  return { writes, raised }
}

/**
 * Removes a payment from the hold. The last one lets the listing go: what the hold made UNDER_OFFER is AVAILABLE again,
 * unless the owner has set the availability since.
 */
async function leave(deps: FollowHoldDeps, seen: Hold, payment: HoldingPayment): Promise<Followed> {
  const { listings, holds } = deps
  const left = withoutPayment(seen, payment.id)
  const isOver = payment.id in seen.payments && left.userId === null
  if (!isOver) return { writes: isSame(left, seen) ? [] : [holds.replace(seen, left)], raised: [] }
  const released = holds.replace(seen, { ...left, offeredAfterCalls: null })
  const { offeredAfterCalls: calls } = seen
  if (calls === null) return { writes: [released], raised: [] }
  const { listing, calls: callsNow } = await getOffer(deps, payment)
  if (listing?.availability !== 'UNDER_OFFER' || callsNow !== calls) return { writes: [released], raised: [] }
  const stillUncalled = listings.requireAvailabilityCalls(payment.listingId, calls)
  return { writes: [released, stillUncalled, ...moved(deps, listing, 'AVAILABLE', payment)], raised: [] }
}

function moved(
  deps: FollowHoldDeps,
  listing: Listing,
  availability: Availability,
  { updatedAt }: Payment,
): Write[] {
  const next = { ...listing, availability, updatedAt, version: listing.version + 1 }
  return availabilityWrites(deps, listing, next, updatedAt, ownMotive('system'))
}
