import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, PaymentId, PaymentRequestId, UserId } from '#lib/kernel/id'
import type { Payment } from '#lib/payments/payment'
import type { PaymentStatus } from '#lib/payments/payment-status'

/** That a requested deposit holds a listing: no other requested deposit of the listing is begun meanwhile. */
export const Hold = z.object({
  listingId: ListingId,
  paymentId: PaymentId,
  requestId: PaymentRequestId,
  /** Who pays the deposit. */
  userId: UserId,
  /**
   * How often the owner had set the availability when the success of the deposit made the listing UNDER_OFFER; null where
   * it did not. Releasing the hold makes the listing AVAILABLE only while the number is the same.
   */
  offeredAfterCalls: z.int().nullable(),
  /** The payments that succeeded while this one held the listing: looked at again once it is released. */
  waiting: z.record(z.string(), z.literal(true)).default({}),
  at: Timestamp,
})
export type Hold = z.infer<typeof Hold>

const HOLDING: ReadonlySet<PaymentStatus> = new Set([
  'PENDING',
  'PROCESSING',
  'SUCCEEDED',
  'PARTIALLY_REFUNDED',
  'DISPUTED',
])

/** A deposit that a payment request asked for. Only such payments hold their listing. */
export type RequestedDeposit = Payment &
  Record<'listingId', ListingId> &
  Record<'paymentRequestId', PaymentRequestId>

export const isRequestedDeposit = (payment: Payment): payment is RequestedDeposit =>
  payment.purpose === 'deposit' && payment.listingId !== null && payment.paymentRequestId !== null

/** Whether a requested deposit of this status holds its listing. */
export const isHolding = (status: PaymentStatus): boolean => HOLDING.has(status)
