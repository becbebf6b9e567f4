import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { EnquiryId, ListingId, PaymentId, PaymentRequestId, UserId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { Purpose } from '#lib/payments/payment'

/** OPEN until it is paid, cancelled by its owner, or its time is over. */
export const PaymentRequestStatus = z
  .enum(['OPEN', 'PAID', 'CANCELLED', 'EXPIRED'])
  .meta({ id: 'PaymentRequestStatus' })
export type PaymentRequestStatus = z.infer<typeof PaymentRequestStatus>

/** A sum that the owner of a listing asks of one customer. */
export const PaymentRequest = z.object({
  id: PaymentRequestId,
  listingId: ListingId,
  enquiryId: EnquiryId,
  customerId: UserId,
  /** Whose listing it is. */
  ownerId: UserId,
  purpose: Purpose,
  amount: Amount,
  currency: Currency,
  dueAt: Timestamp.nullable(),
  /** What the owner wrote beside it; null once the owner is erased. */
  note: z.string().nullable(),
  /** As last written. Time alone may have ended it since, see `statusOf`. */
  status: PaymentRequestStatus,
  /** The first of its payments with a success. */
  paymentId: PaymentId.nullable(),
  /** Its further payments with a success: they need someone until the first, or they themselves, are given back. */
  further: z.array(PaymentId).default([]),
  /** The payment of it that is PENDING or PROCESSING: meanwhile the request is neither cancelled nor expires. */
  underway: PaymentId.nullable(),
  version: z.int(),
  createdAt: Timestamp,
})
export type PaymentRequest = z.infer<typeof PaymentRequest>

/** The status at a moment: an OPEN request is EXPIRED once it is due, unless a payment of it is under way. */
export const statusOf = ({ status, dueAt, underway }: PaymentRequest, now: Date): PaymentRequestStatus =>
  status === 'OPEN' && underway === null && dueAt !== null && Date.parse(dueAt) <= now.getTime()
    ? 'EXPIRED'
    : status

/**
 * Refuses a request that can be neither paid nor cancelled now: `payment_request_in_progress` with the payment that is
 * under way, else `payment_request_not_open` with its status.
 */
export function refuseUnlessOpen(request: PaymentRequest, now: Date): void {
  const requestStatus = statusOf(request, now)
  if (requestStatus !== 'OPEN') {
    throw new DomainError('payment_request_not_open', {
      detail: `The payment request is ${requestStatus}`,
      extensions: { requestStatus },
    })
  }
  const { underway: paymentId } = request
  if (paymentId === null) return
  throw new DomainError('payment_request_in_progress', {
    detail: 'A payment of the request is under way',
    extensions: { paymentId },
  })
}
