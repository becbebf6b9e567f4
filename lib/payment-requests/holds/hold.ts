import * as z from 'zod'
import { MINUTE_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { ListingId, type PaymentId, type PaymentRequestId, UserId } from '#lib/kernel/id'
import { hasMoney } from '#lib/payments/state/fold'
import type { Payment } from '#lib/payments/state/payment'

/** The time for which a PENDING payment holds its listing. */
const PENDING_SECONDS = 30 * MINUTE_SECONDS

/** Why a payment holds its listing: its money is awaited until a time, on its way, or received. */
const Ground = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pending'), until: Timestamp }),
  z.object({ kind: z.literal('processing') }),
  z.object({ kind: z.literal('paid') }),
])
type Ground = z.infer<typeof Ground>

/**
 * Who holds a listing with payments of payment requests, and who has paid such requests. A listing has one such record;
 * every write requires the version that was read.
 */
export const Hold = z.object({
  listingId: ListingId,
  /** Who holds the listing; null where no payment does. */
  userId: UserId.nullable(),
  /** The grounds of the holder's payments, by payment id. */
  payments: z.record(z.string(), Ground),
  /**
   * The number of times that the owner had set the availability when a success made the listing UNDER_OFFER; null if no
   * success did. The end of the hold makes the listing AVAILABLE only if that number is still the same.
   */
  offeredAfterCalls: z.int().nullable(),
  /** Who paid the requested payments whose money is here, by the payment's id. */
  received: z.record(z.string(), UserId),
  version: z.int().min(1),
})
export type Hold = z.infer<typeof Hold>

/** A payment that holds its listing: a deposit or a purchase that a payment request asked for. */
export type HoldingPayment = Payment & { listingId: ListingId; paymentRequestId: PaymentRequestId }

const HOLDING_PURPOSES: readonly Payment['purpose'][] = ['deposit', 'purchase']

export const isHoldingPurpose = (purpose: Payment['purpose']): boolean => HOLDING_PURPOSES.includes(purpose)

export const isHoldingPayment = (payment: Payment): payment is HoldingPayment =>
  isHoldingPurpose(payment.purpose) && payment.listingId !== null && payment.paymentRequestId !== null

/** Returns the hold of a listing without a record; version 0 is never stored. */
export const emptyHold = (listingId: ListingId): Hold => ({
  listingId,
  userId: null,
  payments: {},
  offeredAfterCalls: null,
  received: {},
  version: 0,
})

/** Returns why a payment holds its listing; undefined once it ended without money, or its money was given back. */
export function groundOf(payment: Payment): Ground | undefined {
  if (payment.status === 'PENDING') {
    const endsAt = timestamp(secondsAfter(new Date(payment.createdAt), PENDING_SECONDS))
    return { kind: 'pending', until: endsAt < payment.expiresAt ? endsAt : payment.expiresAt }
  }
  if (payment.status === 'PROCESSING') return { kind: 'processing' }
  return hasMoney(payment) ? { kind: 'paid' } : undefined
}

/** Whether anybody holds the listing now. After its time a PENDING payment holds its listing no longer. */
export const isHeld = ({ payments }: Hold, now: Date): boolean =>
  Object.values(payments).some((ground) => isLasting(ground, now))

const isLasting = (ground: Ground, now: Date): boolean =>
  ground.kind !== 'pending' || ground.until > timestamp(now)

/** Whether another person holds the listing now. */
export const isHeldByAnother = (hold: Hold, userId: UserId, now: Date): boolean =>
  hold.userId !== userId && isHeld(hold, now)

/** Adds a payment to its payer's hold, or replaces the lapsed hold of another person. */
export const withPayment = (hold: Hold, { id, userId }: Payment, ground: Ground): Hold => ({
  ...hold,
  userId,
  payments: { ...(hold.userId === userId ? hold.payments : {}), [id]: ground },
})

/** Whether a payment of the hold is PENDING or PROCESSING. */
export const isBeingPaid = ({ payments }: Hold, now: Date): boolean =>
  Object.values(payments).some((ground) => ground.kind !== 'paid' && isLasting(ground, now))

/** Ends a hold because the listing's owner set the availability. */
export const withoutHolder = (hold: Hold): Hold => ({
  ...hold,
  userId: null,
  payments: {},
  offeredAfterCalls: null,
})

/**
 * Removes a payment that ended, or whose money was given back. The hold is over unless another payment still holds the
 * listing: a PENDING one does so for its time only. Keeps `offeredAfterCalls`: the caller reads it to make the listing
 * AVAILABLE again.
 */
export function withoutPayment(hold: Hold, id: PaymentId, now: Date): Hold {
  const { [id]: ground, ...payments } = hold.payments
  const { [id]: _payer, ...received } = hold.received
  if (!ground) return { ...hold, received }
  const isOver = !isHeld({ ...hold, payments }, now)
  return isOver ? { ...hold, payments: {}, received, userId: null } : { ...hold, payments, received }
}
