import type { Clock } from '#lib/kernel/clock'
import { type NewId, PaymentId } from '#lib/kernel/id'
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
  payments: Pick<PaymentStore, 'get' | 'unchanged'>
  holds: HoldStore
  listings: ListingStore
  now: Clock
  newId: NewId
}

/**
 * What follows from a change of a payment: the writes of the same transaction, the reason for which the payment needs
 * someone, and the payments that are due again, since the hold they wait for has changed.
 */
export type Followed = { writes: Write[]; raised?: AttentionCode[]; lookAgain?: PaymentId[] }

export const NOTHING: Followed = { writes: [] }

/**
 * Lets the hold on a listing follow its requested deposit: taken while the deposit holds and nobody else does, released
 * when the deposit ends. A success that finds the listing held by another payment takes no hold and needs someone; it is
 * looked at again when the other releases the listing, and holds it from then.
 */
export async function followHold(
  deps: FollowHoldDeps,
  before: Payment,
  after: RequestedDeposit,
): Promise<Followed> {
  const seen = await deps.holds.get(after.listingId)
  const isOurs = seen?.paymentId === after.id
  if (!isHolding(after.status)) return isOurs ? release(deps, seen, after) : NOTHING
  if (isOurs) return isPaid(after) && !isPaid(before) ? offer(deps, seen, after) : NOTHING
  const holder = seen && (await holderOf(deps, seen))
  if (seen && holder?.isAlive) return isPaid(after) ? waitFor(deps, seen, after) : NOTHING
  const offered = isPaid(after) ? await offeredFor(deps, after) : { calls: null, writes: [] }
  const hold = { ...holdOf(after), offeredAfterCalls: offered.calls, waiting: seen?.waiting ?? {} }
  const writes = [deps.holds.put(seen, hold), ...(holder?.unchanged ?? []), ...offered.writes]
  return { writes }
}

const waitFor = ({ holds }: FollowHoldDeps, seen: Hold, { id }: RequestedDeposit): Followed => ({
  writes: id in seen.waiting ? [] : [holds.wait(seen, id)],
  raised: ['listing_held_by_another'],
})

/** The hold that a requested deposit takes when it is created. */
export const holdOf = (payment: RequestedDeposit): Hold => ({
  listingId: payment.listingId,
  paymentId: payment.id,
  requestId: payment.paymentRequestId,
  userId: payment.userId,
  offeredAfterCalls: null,
  waiting: {},
  at: payment.updatedAt,
})

/**
 * Whether the payment of a hold holds still: one whose time is over may not have been written since. `unchanged` makes
 * sure that it is so when the hold is taken over, since a success may come at that very moment.
 */
export async function holderOf(
  { payments, now }: { payments: Pick<PaymentStore, 'get' | 'unchanged'>; now: Clock },
  { paymentId }: Hold,
): Promise<{ isAlive: boolean; unchanged: Write[] }> {
  const payment = await payments.get(paymentId)
  if (!payment) return { isAlive: false, unchanged: [] }
  return { isAlive: isHolding(statusOf(payment, now())), unchanged: [payments.unchanged(payment)] }
}

async function offer(deps: FollowHoldDeps, seen: Hold, payment: RequestedDeposit): Promise<Followed> {
  const { calls, writes } = await offeredFor(deps, payment)
  return { writes: calls === null ? [] : [deps.holds.offered(seen, calls), ...writes] }
}

/** A paid deposit makes an AVAILABLE listing UNDER_OFFER, whatever its status; TAKEN and PAUSED stay. */
async function offeredFor(
  deps: FollowHoldDeps,
  payment: RequestedDeposit,
): Promise<{ calls: number | null; writes: Write[] }> {
  const listing = await deps.listings.get(payment.listingId)
  if (listing?.availability !== 'AVAILABLE') return { calls: null, writes: [] }
  const calls = await deps.listings.availabilityCalls(payment.listingId)
  return { calls, writes: moved(deps, listing, 'UNDER_OFFER', payment) }
}

/** Removes a hold. What it made UNDER_OFFER is AVAILABLE again, unless the owner has set the availability since. */
async function release(deps: FollowHoldDeps, hold: Hold, payment: RequestedDeposit): Promise<Followed> {
  const { listings, holds } = deps
  const { listingId, offeredAfterCalls: calls } = hold
  const lookAgain = Object.keys(hold.waiting).map((id) => PaymentId.parse(id))
  const released = { writes: [holds.remove(hold)], lookAgain }
  if (calls === null) return released
  const [listing, callsNow] = await Promise.all([
    listings.get(listingId),
    listings.availabilityCalls(listingId),
  ])
  if (listing?.availability !== 'UNDER_OFFER' || callsNow !== calls) return released
  const stillUncalled = listings.availabilityCallsStill(listingId, calls)
  return {
    ...released,
    writes: [...released.writes, stillUncalled, ...moved(deps, listing, 'AVAILABLE', payment)],
  }
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
