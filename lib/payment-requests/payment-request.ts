import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { EnquiryId, ListingId, PaymentId, PaymentRequestId, UserId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { Purpose } from '#lib/payments/state/payment'

/** OPEN until it is paid, cancelled, or its time is over. */
export const PaymentRequestStatus = z
  .enum(['OPEN', 'PAID', 'CANCELLED', 'EXPIRED'])
  .meta({ id: 'PaymentRequestStatus' })
export type PaymentRequestStatus = z.infer<typeof PaymentRequestStatus>

/** A request's repetition: each month, up to and including `until`, at the same time of day in a time zone. */
const Repetition = z
  .object({ every: z.literal('month'), until: Timestamp, timeZone: z.string().meta({ example: 'UTC' }) })
  .meta({ id: 'PaymentRequestRepetition' })

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
  /** The owner's words; null once the owner is erased. */
  note: z.string().nullable(),
  repeats: Repetition.nullable(),
  /** The first request of the series; null where it does not repeat. */
  seriesId: PaymentRequestId.nullable(),
  /** As last written. Time alone may have ended it since, see `requestStatusOf`. */
  status: PaymentRequestStatus,
  /** The first of its payments with a success. */
  paymentId: PaymentId.nullable(),
  /** Its payments that are PENDING or PROCESSING, by id. */
  underway: z.record(PaymentId, z.enum(['PENDING', 'PROCESSING'])),
  /** Its payments that ended without money. */
  unpaid: z.array(PaymentId),
  /** The number of reminders whose time had passed when the request was last written. */
  reminders: z.int().min(0),
  version: z.int(),
  createdAt: Timestamp,
})
export type PaymentRequest = z.infer<typeof PaymentRequest>

const DAYS_AFTER_DUE = 30
const DAYS_WITHOUT_DUE = 90
const UNPAID_MAX = 10

/** Returns when an OPEN request expires: 30 days after it is due, else 90 days after it was made. */
export const expiryOf = ({ dueAt, createdAt }: Pick<PaymentRequest, 'dueAt' | 'createdAt'>): Timestamp =>
  dueAt === null
    ? timestamp(secondsAfter(new Date(createdAt), DAYS_WITHOUT_DUE * DAY_SECONDS))
    : timestamp(secondsAfter(new Date(dueAt), DAYS_AFTER_DUE * DAY_SECONDS))

/** Returns the status at a moment: an OPEN request expires by time, unless a payment of it is PROCESSING. */
export const requestStatusOf = (request: PaymentRequest, now: Date): PaymentRequestStatus =>
  request.status === 'OPEN' && processingOf(request) === undefined && expiryOf(request) <= timestamp(now)
    ? 'EXPIRED'
    : request.status

/** Whether a request is OPEN past its due date. */
export const isOverdue = (request: PaymentRequest, now: Date): boolean =>
  request.dueAt !== null && request.dueAt < timestamp(now) && requestStatusOf(request, now) === 'OPEN'

export const processingOf = ({ underway }: PaymentRequest): PaymentId | undefined =>
  idsOf(underway).find((id) => underway[id] === 'PROCESSING')

export const pendingOf = ({ underway }: PaymentRequest): PaymentId | undefined =>
  idsOf(underway).find((id) => underway[id] === 'PENDING')

const idsOf = (underway: PaymentRequest['underway']): PaymentId[] =>
  Object.keys(underway).map((id) => PaymentId.parse(id))

/**
 * Returns a request with the status of one of its payments. `isPaid`: whether the payment has brought money, as a REFUNDED
 * or DISPUTED one has. A payment that ended without money joins the unpaid ones.
 */
export function withPaymentStatus(
  request: PaymentRequest,
  { id, status }: { id: PaymentId; status: string },
  { isPaid = false }: { isPaid?: boolean } = {},
): PaymentRequest {
  const { [id]: _before, ...others } = request.underway
  if (status === 'PENDING' || status === 'PROCESSING') {
    return { ...request, underway: { ...others, [id]: status } }
  }
  const isNew = !isPaid && !request.unpaid.includes(id)
  return { ...request, underway: others, unpaid: isNew ? [...request.unpaid, id] : request.unpaid }
}

/** Throws `payment_request_not_open` with its status for a request that can no longer be paid or cancelled. */
export function refuseUnlessOpen(request: PaymentRequest, now: Date): void {
  const requestStatus = requestStatusOf(request, now)
  if (requestStatus === 'OPEN') return
  throw new DomainError('payment_request_not_open', {
    detail: `The payment request is ${requestStatus}`,
    extensions: { requestStatus },
  })
}

/** Throws `payment_request_in_progress` where a payment is under way. */
export function refuseInProgress(paymentId: PaymentId | undefined): void {
  if (paymentId === undefined) return
  throw new DomainError('payment_request_in_progress', {
    detail: 'A payment of the request is under way',
    extensions: { paymentId },
  })
}

/** Throws `payment_limit_reached` where ten payments of a request ended without money. */
export function refuseTooManyUnpaid({ unpaid }: PaymentRequest): void {
  if (unpaid.length < UNPAID_MAX) return
  throw new DomainError('payment_limit_reached', {
    detail: `${UNPAID_MAX} payments of the request came to nothing`,
  })
}
