import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Availability, Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { ownMotive } from '#lib/listings/move-listing'
import { availabilityWrites } from '#lib/listings/set-availability'
import type { AttentionCode } from '#lib/payments/attention'
import type { Payment } from '#lib/payments/payment'
import { isPaid, statusOf } from '#lib/payments/payment-status'
import type { PaymentStore } from '#lib/payments/payment-store'
import { type Hold, isHolding, type RequestedDeposit } from './hold.ts'
import type { HoldStore } from './hold-store.ts'

export type FollowHoldDeps = {
  payments: Pick<PaymentStore, 'get'>
  holds: HoldStore
  listings: ListingStore
  now: Clock
  newId: NewId
}

type Followed = { writes: Write[]; raised: AttentionCode[] }

const NOTHING: Followed = { writes: [], raised: [] }

/**
 * Lets the hold on a listing follow its requested deposit: taken while the deposit holds and nobody else does, released
 * when the deposit ends. A success that finds the listing held by another payment takes no hold and needs someone.
 */
export async function followHold(
  deps: FollowHoldDeps,
  before: Payment,
  after: RequestedDeposit,
): Promise<Followed> {
  const seen = await deps.holds.get(after.listingId)
  const isOurs = seen?.paymentId === after.id
  if (!isHolding(after.status)) return isOurs ? release(deps, seen, after) : NOTHING
  if (seen && !isOurs && (await isAlive(deps, seen))) {
    return { writes: [], raised: isPaid(after) ? ['listing_held_by_another'] : [] }
  }
  if (isOurs && (!isPaid(after) || isPaid(before))) return NOTHING
  const hold = isOurs ? seen : holdOf(after)
  const offer = isPaid(after) ? await offered(deps, hold, after) : { hold, writes: [] }
  return { writes: [deps.holds.put(seen, offer.hold), ...offer.writes], raised: [] }
}

/** The hold that a requested deposit takes when it is created. */
export const holdOf = (payment: RequestedDeposit): Hold => ({
  listingId: payment.listingId,
  paymentId: payment.id,
  requestId: payment.paymentRequestId,
  userId: payment.userId,
  offeredAfterCalls: null,
  at: payment.updatedAt,
})

/** Whether the payment of a hold holds still. One whose time is over may not have been written since. */
export async function isAlive(
  { payments, now }: Pick<FollowHoldDeps, 'payments' | 'now'>,
  { paymentId }: Hold,
): Promise<boolean> {
  const payment = await payments.get(paymentId)
  return payment !== undefined && isHolding(statusOf(payment, now()))
}

/** A paid deposit makes an AVAILABLE listing UNDER_OFFER, whatever its status; TAKEN and PAUSED stay. */
async function offered(deps: FollowHoldDeps, hold: Hold, payment: RequestedDeposit) {
  const listing = await deps.listings.get(hold.listingId)
  if (listing?.availability !== 'AVAILABLE') return { hold, writes: [] }
  const calls = await deps.listings.availabilityCalls(hold.listingId)
  return {
    hold: { ...hold, offeredAfterCalls: calls },
    writes: moved(deps, listing, 'UNDER_OFFER', payment),
  }
}

/** Removes a hold. What it made UNDER_OFFER is AVAILABLE again, unless the owner has set the availability since. */
async function release(deps: FollowHoldDeps, hold: Hold, payment: RequestedDeposit): Promise<Followed> {
  const { listings, holds } = deps
  const { listingId, offeredAfterCalls: calls } = hold
  const removal = holds.remove(hold)
  if (calls === null) return { writes: [removal], raised: [] }
  const [listing, callsNow] = await Promise.all([
    listings.get(listingId),
    listings.availabilityCalls(listingId),
  ])
  if (listing?.availability !== 'UNDER_OFFER' || callsNow !== calls) return { writes: [removal], raised: [] }
  const stillUncalled = listings.availabilityCallsStill(listingId, calls)
  return { writes: [removal, stillUncalled, ...moved(deps, listing, 'AVAILABLE', payment)], raised: [] }
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
