import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import {
  type EventId,
  ListingId,
  MessageId,
  PaymentId,
  PaymentRequestId,
  SessionId,
  UserId,
} from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'

const none = z.object({})
/** A move from one state to another. */
const move = { from: z.string(), to: z.string() }
const ofAgent = { agentId: UserId }
const enquiry = { listingId: ListingId, customerId: UserId, agentId: UserId }
const payoutStatus = z.enum(['AWAITING_APPROVAL', 'PENDING', 'PAID', 'FAILED', 'CANCELLED'])
const side = z.enum(['customer', 'agent'])
const payment = {
  userId: UserId,
  provider: z.string(),
  /** The sum of the first charge; until there is one, the sum that was asked for. */
  amount: z.int(),
  currency: z.string(),
  purpose: z.string(),
  listingId: ListingId.nullable(),
  /** The listing's agent; null where the payment names no listing. */
  agentId: UserId.nullable(),
  paymentRequestId: PaymentRequestId.nullable(),
}
/** `refundId` is null for a refund that was made at the provider. */
const refund = { ...payment, refundId: z.string().nullable(), refundAmount: z.int() }
const request = {
  ...enquiry,
  enquiryId: z.string(),
  amount: z.int(),
  currency: z.string(),
  purpose: z.string(),
}

/**
 * Everything that the service announces, and what each event says beside its id, type, subject and time: ids, states,
 * sums and codes, nothing personal. The subject is the id of the record that the first word of the type names.
 */
export const EVENTS = {
  'user.registered': none,
  'user.email_changed': z.object({ undone: z.boolean() }),
  'user.password_changed': z.object({
    by: z.enum(['change', 'reset']),
    apiKeysEnded: z.int().default(0),
  }),
  'user.signed_in_elsewhere': z.object({ sessionId: SessionId }),
  'user.second_factor_changed': z.object({ change: z.enum(['added', 'removed', 'to_be_removed']) }),
  'user.second_factor_refused': none,
  'user.api_key_changed': z.object({ keyId: z.string(), change: z.enum(['made', 'deleted']) }),
  'user.banned': none,
  'user.deleted': none,
  'session.reused': z.object({ userId: UserId }),
  'kyc.status_changed': z.object({ ...move, decision: z.int() }),
  'kyc.expiring': z.object({ expiresAt: Timestamp }),
  'listing.status_changed': z.object({ ...move, ...ofAgent }),
  'listing.updated': z.object(ofAgent),
  'listing.price_changed': z.object({ ...ofAgent, from: Money.nullable(), to: Money }),
  'listing.availability_changed': z.object({ ...move, ...ofAgent }),
  'listing.reported': z.object({ ...ofAgent, reason: z.string() }),
  'revision.submitted': z.object(ofAgent),
  'revision.decided': z.object({ ...ofAgent, outcome: z.enum(['PUBLISHED', 'REJECTED']) }),
  'media.ready': z.object({ ...ofAgent, listingId: ListingId, kind: z.string() }),
  'enquiry.created': z.object({ ...enquiry, messageId: MessageId }),
  'enquiry.replied': z.object({ ...enquiry, messageId: MessageId, from: side }),
  'enquiry.visit_changed': z.object({ ...enquiry, visitAt: Timestamp.nullable() }),
  'enquiry.reported': z.object({ ...enquiry, by: side, reason: z.string() }),
  /** The subject is the listing or the enquiry. */
  'reports.closed': z.object({ outcome: z.enum(['DISMISSED', 'ACTED']).nullable(), count: z.int() }),
  /** What happened to a listing that people saved. `from` and `to` are prices, null but where the price was reduced. */
  'favourite.changed': z.object({
    ...ofAgent,
    change: z.enum(['PRICE_REDUCED', 'TAKEN', 'GONE']),
    from: Money.nullable(),
    to: Money.nullable(),
  }),
  /** `listingIds` are the first five of `count` listings. */
  'saved_search.matched': z.object({ userId: UserId, count: z.int(), listingIds: z.array(ListingId) }),
  'payment_request.created': z.object(request),
  'payment_request.paid': z.object({ ...request, paymentId: PaymentId }),
  'payment_request.closed': z.object({ ...request, status: z.enum(['CANCELLED', 'EXPIRED']) }),
  /** Three days before an OPEN request is due, and on that day, at 07:00 UTC. */
  'payment_request.due': z.object({ ...request, dueAt: Timestamp }),
  /** Three days after an OPEN request was due, at 07:00 UTC. */
  'payment_request.overdue': z.object({ ...request, dueAt: Timestamp }),
  'payment.status_changed': z.object({ ...payment, ...move, reason: z.string() }),
  'payment.refund_started': z.object(refund),
  'payment.refunded': z.object({ ...refund, amountRefunded: z.int() }),
  'payment.refund_failed': z.object(refund),
  'payment.disputed': z.object({
    ...payment,
    disputeId: z.string(),
    state: z.string(),
    disputedAmount: z.int(),
  }),
  'payout.status_changed': z.object({
    ...ofAgent,
    from: payoutStatus.nullable(),
    to: payoutStatus,
    amount: z.int(),
    currency: z.string(),
    method: z.enum(['by_hand', 'provider']),
    reason: z.string(),
  }),
  'user.payout_account_changed': none,
  'payment.overcharged': z.object({ ...payment, chargeId: z.string(), chargeAmount: z.int() }),
} as const

/** The name of an event. */
export type EventType = keyof typeof EVENTS

/** What an event of a type says. */
export type EventData<Type extends EventType> = z.output<(typeof EVENTS)[Type]>

/** The name of an event, as a query or a row spells it. */
export const EventType = z.enum(Object.keys(EVENTS) as [EventType, ...EventType[]])

/** Events that remind one person of something: they are sent to no webhook. */
const SENT_TO_NO_WEBHOOK = [
  'payment_request.due',
  'payment_request.overdue',
  'favourite.changed',
  'saved_search.matched',
] as const

/** The name of an event that webhooks may be sent. */
export const WebhookEventType = EventType.exclude(SENT_TO_NO_WEBHOOK)

/** What each event that webhooks may be sent says. */
export const WEBHOOK_EVENTS = Object.fromEntries(
  Object.entries(EVENTS).filter(([type]) => WebhookEventType.safeParse(type).success),
)

/** An event to announce. */
export type Announcement = {
  [Type in EventType]: { id: EventId; type: Type; subject: string; at: Timestamp; data: EventData<Type> }
}[EventType]
