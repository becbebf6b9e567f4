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

/** Returns the schema of an event's data. The description says when the event is announced. */
const data = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  z.object(shape).meta({ description })

/** Returns the data of a move from one state to another. */
const move = <State extends z.ZodType>(state: State) => ({ from: state, to: state })

// The domains' own values, repeated: the domains announce events, so this module imports none of them.
const kycStatus = z.enum(['UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED', 'EXPIRED'])
const listingStatus = z.enum(['DRAFT', 'PENDING_REVIEW', 'PUBLISHED', 'REJECTED', 'SUSPENDED', 'ARCHIVED'])
const availability = z.enum(['AVAILABLE', 'UNDER_OFFER', 'TAKEN', 'PAUSED'])
const paymentStatus = z.enum([
  'PENDING',
  'PROCESSING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'DISPUTED',
  'CHARGED_BACK',
])
const payoutStatus = z.enum(['AWAITING_APPROVAL', 'PENDING', 'PAID', 'FAILED', 'CANCELLED'])
const disputeState = z.enum(['INQUIRY', 'OPEN', 'WON', 'LOST'])
const purpose = z.enum(['deposit', 'rent', 'purchase', 'fee'])
const side = z.enum(['customer', 'agent'])
const ofAgent = { agentId: UserId }
const enquiry = { listingId: ListingId, customerId: UserId, agentId: UserId }
const payment = {
  userId: UserId,
  provider: z.string(),
  amount: z
    .int()
    .meta({ description: 'Of the first charge; until there is one, the sum that was asked for' }),
  currency: z.string(),
  purpose,
  listingId: ListingId.nullable(),
  agentId: UserId.nullable().meta({ description: 'The listing’s agent' }),
  paymentRequestId: PaymentRequestId.nullable(),
}
const refund = {
  ...payment,
  refundId: z.string().nullable().meta({ description: 'Null for one that was made at the provider' }),
  refundAmount: z.int(),
  refundCurrency: z.string().meta({ description: 'That of the refunded charge' }),
  counts: z.boolean().meta({
    description:
      'Whether the refunded charge is the one that counts. A refund of any other charge leaves the payment unchanged',
  }),
}
const request = {
  ...enquiry,
  enquiryId: z.string(),
  amount: z.int(),
  currency: z.string(),
  purpose,
}

/**
 * Every event of the service with its data besides id, type, subject and time: ids, states, sums and codes, without
 * personal data. The subject is the id of the record that the first word of the type names.
 */
export const EVENTS = {
  'user.registered': data('Somebody made an account.', {}),
  'user.email_changed': data('A new address was confirmed, or a change was undone by the former one.', {
    undone: z.boolean(),
  }),
  'user.password_changed': data('A password was changed by its owner, or reset by a mailed link.', {
    by: z.enum(['change', 'reset']),
    apiKeysEnded: z.int().default(0),
  }),
  'user.signed_in_elsewhere': data('A sign-in came without a known device, from an unknown network.', {
    sessionId: SessionId,
  }),
  'user.second_factor_changed': data(
    'A second factor was added or removed, or support asked that all be removed 24 hours later.',
    { change: z.enum(['added', 'removed', 'to_be_removed']) },
  ),
  'user.second_factor_refused': data('The tenth wrong code of an hour was given at a sign-in.', {}),
  'user.api_key_changed': data('A person made or deleted an API key of theirs.', {
    keyId: z.string(),
    change: z.enum(['made', 'deleted']),
  }),
  'user.banned': data('An administrator banned a user who was not banned.', {}),
  'user.deleted': data('A person deleted their account.', {}),
  'session.reused': data('A session ended, because one of its spent refresh tokens was used again.', {
    userId: UserId,
  }),
  'kyc.status_changed': data('The identity of a user was decided, or its verification expired.', {
    ...move(kycStatus),
    decision: z.int().meta({ description: 'How many decisions there are, this one included' }),
  }),
  'kyc.expiring': data('A verification ends in 14 days or sooner; announced once for each `expiresAt`.', {
    expiresAt: Timestamp,
  }),
  'listing.status_changed': data(
    'A listing was submitted, withdrawn, decided, suspended, restored or archived.',
    { ...move(listingStatus), ...ofAgent },
  ),
  'listing.updated': data(
    'A listing changed in a way that no other event announces: fields of a draft, an order of media, a deleted picture, a ' +
      'reference, a revision that was published or taken back.',
    ofAgent,
  ),
  'listing.price_changed': data('The price of a listing changed that was published once.', {
    ...ofAgent,
    from: Money.nullable(),
    to: Money,
  }),
  'listing.availability_changed': data(
    'The owner set another availability, or the hold of a requested payment began or ended.',
    { ...move(availability), ...ofAgent },
  ),
  'listing.reported': data('Somebody reported a public listing.', { ...ofAgent, reason: z.string() }),
  'revision.submitted': data(
    'A revision of a live listing begins to wait for a moderator, or changes while it waits. The subject is the listing.',
    ofAgent,
  ),
  'revision.decided': data('A moderator published or rejected a revision. The subject is the listing.', {
    ...ofAgent,
    outcome: z.enum(['PUBLISHED', 'REJECTED']),
  }),
  'media.ready': data('The variants of a picture, a film or a document are made.', {
    ...ofAgent,
    listingId: ListingId,
    kind: z.enum(['image', 'video', 'document']),
  }),
  'enquiry.created': data('A customer asked about a listing for the first time.', {
    ...enquiry,
    messageId: MessageId,
  }),
  'enquiry.replied': data('Either side wrote a further message.', {
    ...enquiry,
    messageId: MessageId,
    from: side,
  }),
  'enquiry.visit_changed': data('The agent set, changed or cancelled a visit.', {
    ...enquiry,
    visitAt: Timestamp.nullable().meta({ description: 'Null after a cancellation' }),
  }),
  'enquiry.reported': data('Either side reported an enquiry.', { ...enquiry, by: side, reason: z.string() }),
  'reports.closed': data(
    'The open reports of a listing or an enquiry, the subject, were closed. `outcome` is null where its listing was archived.',
    { outcome: z.enum(['DISMISSED', 'ACTED']).nullable(), count: z.int() },
  ),
  'favourite.changed': data(
    'A public listing that people saved was taken, left the public, or became cheaper than its savers were last notified. The ' +
      'subject is the listing; `from`, the price before the first reduction of the UTC day, and `to` are null but for PRICE_REDUCED.',
    {
      ...ofAgent,
      change: z.enum(['PRICE_REDUCED', 'TAKEN', 'GONE']),
      from: Money.nullable(),
      to: Money.nullable(),
    },
  ),
  'saved_search.matched': data('A saved search found listings that its owner was not notified of before.', {
    userId: UserId,
    count: z.int(),
    listingIds: z.array(ListingId).meta({ description: 'The first five' }),
  }),
  'payment_request.created': data(
    'An agent asked a customer for a payment, or the next of a series was made.',
    request,
  ),
  'payment_request.paid': data('The first payment of a request succeeded.', {
    ...request,
    paymentId: PaymentId,
  }),
  'payment_request.closed': data('An OPEN request was cancelled or expired.', {
    ...request,
    status: z.enum(['CANCELLED', 'EXPIRED']),
  }),
  'payment_request.due': data('Three days before an OPEN request is due, and on that day, at 07:00 UTC.', {
    ...request,
    dueAt: Timestamp,
  }),
  'payment_request.overdue': data('Three days after an OPEN request was due, at 07:00 UTC.', {
    ...request,
    dueAt: Timestamp,
  }),
  'payment.status_changed': data('The status of a payment changed.', {
    ...payment,
    ...move(paymentStatus),
    reason: z.string(),
  }),
  'payment.refund_started': data('A refund of a payment began and has no result yet.', refund),
  'payment.refunded': data('A refund of a payment succeeded.', {
    ...refund,
    amountRefunded: z.int().meta({ description: 'Of the payment in all' }),
  }),
  'payment.refund_failed': data(
    'A refund of a payment failed; its sum is left to be refunded again.',
    refund,
  ),
  'payment.disputed': data('A dispute of a payment is new, or has another state.', {
    ...payment,
    disputeId: z.string(),
    state: disputeState,
    disputedAmount: z.int(),
    disputedCurrency: z.string().meta({ description: 'That of the disputed charge' }),
  }),
  'payout.status_changed': data('A payout was made (`from` is null), or its status changed.', {
    ...ofAgent,
    from: payoutStatus.nullable(),
    to: payoutStatus,
    amount: z.int(),
    currency: z.string(),
    method: z.enum(['by_hand', 'provider']),
    reason: z.string(),
  }),
  'user.payout_account_changed': data(
    'An agent set or changed where payouts go, or an undone change of address removed it.',
    {},
  ),
  'payment.overcharged': data('A payment was charged a second time: money that is owed to its payer.', {
    ...payment,
    chargeId: z.string(),
    chargeAmount: z.int(),
  }),
} as const

/** The name of an event. */
export type EventType = keyof typeof EVENTS

/** The data of an event of a type. */
export type EventData<Type extends EventType> = z.output<(typeof EVENTS)[Type]>

/** The name of an event, as a query or a row spells it. */
export const EventType = z.enum(Object.keys(EVENTS) as [EventType, ...EventType[]])

/** Events for the notification of single people. They are sent to no webhook. */
const SENT_TO_NO_WEBHOOK = [
  'payment_request.due',
  'payment_request.overdue',
  'favourite.changed',
  'saved_search.matched',
] as const

/** The name of an event that webhooks may be sent. */
export const WebhookEventType = EventType.exclude(SENT_TO_NO_WEBHOOK)

/** The data of each event that webhooks may receive. */
export const WEBHOOK_EVENTS = Object.fromEntries(
  Object.entries(EVENTS).filter(([type]) => WebhookEventType.safeParse(type).success),
)

/** An event to announce. */
export type Announcement = {
  [Type in EventType]: { id: EventId; type: Type; subject: string; at: Timestamp; data: EventData<Type> }
}[EventType]
