import { announce } from '#lib/events/event'
import type { Timestamp } from '#lib/kernel/clock'
import type { NewId, PaymentId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { PaymentRequest } from './payment-request.ts'
import type { Reminder } from './reminders.ts'

type Announced = { newId: NewId; request: PaymentRequest; at: Timestamp }

const factsOf = (request: PaymentRequest) => ({
  listingId: request.listingId,
  enquiryId: request.enquiryId,
  customerId: request.customerId,
  agentId: request.ownerId,
  amount: request.amount,
  currency: request.currency,
  purpose: request.purpose,
})

/** Announces a new payment request. */
export const requestCreated = ({ newId, request, at }: Announced): Write =>
  announce({
    id: newId('event'),
    type: 'payment_request.created',
    subject: request.id,
    at,
    data: factsOf(request),
  })

/** Announces the first success of a payment of a request, with the sum that was paid. */
export const requestPaid = (
  { newId, request, at }: Announced,
  { paymentId, amount }: { paymentId: PaymentId; amount: number },
): Write =>
  announce({
    id: newId('event'),
    type: 'payment_request.paid',
    subject: request.id,
    at,
    data: { ...factsOf(request), amount, paymentId },
  })

/** Announces that a request ended unpaid. */
export const requestClosed = ({ newId, request, at }: Announced, status: 'CANCELLED' | 'EXPIRED'): Write =>
  announce({
    id: newId('event'),
    type: 'payment_request.closed',
    subject: request.id,
    at,
    data: { ...factsOf(request), status },
  })

/** Announces that an OPEN request is due soon or today, or was due. */
export const requestReminded = ({ newId, request, at }: Announced, type: Reminder, dueAt: Timestamp): Write =>
  announce({ id: newId('event'), type, subject: request.id, at, data: { ...factsOf(request), dueAt } })
