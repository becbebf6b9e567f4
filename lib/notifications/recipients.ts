import type * as z from 'zod'
import type { DomainEvent } from '#lib/events/event'
import { EVENTS, type EventData, type EventType } from '#lib/events/event-types'
import type { Timestamp } from '#lib/kernel/clock'
import { type EventId, ListingId, PaymentId, type PaymentRequestId, UserId } from '#lib/kernel/id'
import type { MailTopic } from '#lib/mail/mail-content'
import type { CodeWords, Label } from './words/codes/codes.ts'

/** By which preference a notification is mailed: `always` whatever the preferences, `never` not at all. */
export type Mailed = MailTopic | 'always' | 'never'

/** Finds the recipients that an event does not name. */
export type RecipientFinder = {
  /** Whether an administrator, and not the service, made a move of a listing. */
  isModerated: (listing: ListingId, move: EventId) => Promise<boolean>
  /** The customers whose enquiries were closed because the listing was taken. */
  closedByTaking: (listing: ListingId, move: { id: EventId; at: Timestamp }) => Promise<readonly UserId[]>
  /** Whether a payment is a person's, and not of whoever had the account before, see `isPayer` of payments. */
  isPayer: (user: UserId, payment: PaymentId) => Promise<boolean>
  /** Whether this payment was the one that made a payment request PAID. */
  isPaidBy: (request: PaymentRequestId, payment: PaymentId) => Promise<boolean>
  /** The signed-in people whose reports of a listing or an enquiry were closed at this moment. */
  reporters: (subject: string, at: Timestamp) => Promise<readonly UserId[]>
}

type People = readonly (UserId | null)[]
type FindRecipients<Data> = (
  event: { id: EventId; subject: string; at: Timestamp; data: Data },
  finder: RecipientFinder,
) => People | Promise<People>

/** A fact that sentences may name. `person` is the other person. */
export type SentenceFact =
  | 'person'
  | 'listing'
  | 'amount'
  | 'before'
  | 'receipt'
  | 'search'
  | 'count'
  | 'at'
  | 'until'
  | 'visit'

/** One kind of notification: its event, its recipients, and its facts. */
type NotificationKind<Fact extends SentenceFact = SentenceFact> = {
  readonly event: EventType
  readonly mailed: Mailed
  /** Whether a person's notifications of one day come in one mail. */
  readonly isMailedDaily: boolean
  /** Whether an event of its type makes this notification. */
  readonly isOf: (event: DomainEvent) => boolean
  /** Returns the recipients of the notification of such an event. */
  readonly recipients: (event: DomainEvent, finder: RecipientFinder) => Promise<People>
  /** The facts that its sentences name. */
  readonly facts: readonly Fact[]
  /** The table of its mail, line by line. */
  readonly details: readonly Label[]
  /** The list of words for the reasons of a decision; null without reasons. */
  readonly reasons: keyof Pick<CodeWords, 'identityReasons' | 'listingReasons'> | null
}

type Description<Type extends EventType, Fact extends SentenceFact> = {
  to: FindRecipients<EventData<Type>>
  /** Which events of the type; all of them unless given. */
  when?: (data: EventData<Type>, subject: string) => boolean
  mailed: Mailed
  isMailedDaily?: boolean
  facts?: readonly Fact[]
  details?: readonly Label[]
  reasons?: NotificationKind['reasons']
}

/** The schema of each event's data, typed so that a type of event finds its own. */
const DATA: { readonly [Type in EventType]: z.ZodType<EventData<Type>> } = EVENTS

/** Describes the notification of one type of event. */
const onEvent = <Type extends EventType, const Fact extends SentenceFact = never>(
  type: Type,
  {
    to,
    when = () => true,
    mailed,
    isMailedDaily = false,
    facts = [],
    details = [],
    reasons = null,
  }: Description<Type, Fact>,
): NotificationKind<Fact> => ({
  event: type,
  mailed,
  isMailedDaily,
  isOf: ({ subject, data }) => when(DATA[type].parse(data), subject),
  recipients: async (event, finder) => to({ ...event, data: DATA[type].parse(event.data) }, finder),
  facts,
  details,
  reasons,
})

/** The user who is the subject of the event, unlike the `person` of a sentence. */
const person: FindRecipients<unknown> = ({ subject }) => [UserId.parse(subject)]
const user: FindRecipients<{ userId: UserId }> = ({ data }) => [data.userId]
const payer: FindRecipients<{ userId: UserId }> = async ({ subject, data: { userId } }, { isPayer }) =>
  (await isPayer(userId, PaymentId.parse(subject))) ? [userId] : []
const agent: FindRecipients<{ agentId: UserId | null }> = ({ data }) => [data.agentId]
const customer: FindRecipients<{ customerId: UserId }> = ({ data }) => [data.customerId]
const moderatedAgent: FindRecipients<{ agentId: UserId }> = async ({ id, subject, data }, { isModerated }) =>
  (await isModerated(ListingId.parse(subject), id)) ? [data.agentId] : []
const otherSide: FindRecipients<EventData<'enquiry.replied'>> = ({ data }) => [
  data.from === 'customer' ? data.agentId : data.customerId,
]
const closedByTaking: FindRecipients<unknown> = ({ id, subject, at }, finder) =>
  finder.closedByTaking(ListingId.parse(subject), { id, at })
/**
 * Finds the agent, unless the payment made its request PAID: then `requestPaid` notifies. Every further payment of the
 * request notifies the agent.
 */
const agentUnlessRequestPaid: FindRecipients<EventData<'payment.status_changed'>> = async (
  { subject, data: { agentId, paymentRequestId } },
  { isPaidBy },
) =>
  paymentRequestId !== null && (await isPaidBy(paymentRequestId, PaymentId.parse(subject))) ? [] : [agentId]
const reporters: FindRecipients<unknown> = ({ subject, at }, finder) => finder.reporters(subject, at)

/** Finds no recipients: the savers of a listing may be many, and `notifySavers` notifies them piece by piece. */
const saversInPieces: FindRecipients<unknown> = () => []

const became =
  (state: string) =>
  ({ to }: { to: string }): boolean =>
    to === state
/** Whether money came for the first time: a failed refund or a won dispute gives back what had come before. */
const isPaid = ({ from, to }: { from: string; to: string }): boolean =>
  to === 'SUCCEEDED' && !['PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED', 'CHARGED_BACK'].includes(from)
const actedOn =
  (prefix: 'lst_' | 'enq_') =>
  ({ outcome }: EventData<'reports.closed'>, subject: string): boolean =>
    outcome === 'ACTED' && subject.startsWith(prefix)

const refundLines = ['amount', 'listing', 'at'] as const
const disputeLines = ['amount', 'purpose', 'listing', 'at'] as const
const requestLines = ['amount', 'purpose', 'listing', 'payee', 'dueAt'] as const
const incomeLines = ['amount', 'purpose', 'listing', 'payer', 'at'] as const

/**
 * Every notification there is. If an event makes two notifications for one person, only the first in this table is
 * sent. A mail's link follows from the subject of the event.
 */
export const NOTIFICATIONS = {
  identityVerified: onEvent('kyc.status_changed', {
    to: person,
    when: became('VERIFIED'),
    mailed: 'always',
    details: ['until'],
    reasons: 'identityReasons',
  }),
  identityRejected: onEvent('kyc.status_changed', {
    to: person,
    when: became('REJECTED'),
    mailed: 'always',
    reasons: 'identityReasons',
  }),
  identityExpired: onEvent('kyc.status_changed', { to: person, when: became('EXPIRED'), mailed: 'always' }),
  identityExpiring: onEvent('kyc.expiring', { to: person, mailed: 'always', facts: ['until'] }),

  passwordChanged: onEvent('user.password_changed', {
    to: person,
    when: ({ by }) => by === 'change',
    mailed: 'always',
    facts: ['at'],
  }),
  passwordReset: onEvent('user.password_changed', {
    to: person,
    when: ({ by }) => by === 'reset',
    mailed: 'always',
    facts: ['at', 'count'],
  }),
  emailChanged: onEvent('user.email_changed', {
    to: person,
    when: ({ undone }) => !undone,
    mailed: 'always',
    facts: ['at'],
  }),
  emailRestored: onEvent('user.email_changed', {
    to: person,
    when: ({ undone }) => undone,
    mailed: 'always',
    facts: ['at'],
  }),
  signedInElsewhere: onEvent('user.signed_in_elsewhere', {
    to: person,
    mailed: 'always',
    facts: ['at'],
    details: ['at', 'browser', 'network'],
  }),
  sessionReused: onEvent('session.reused', { to: user, mailed: 'always', facts: ['at'] }),

  secondFactorAdded: onEvent('user.second_factor_changed', {
    to: person,
    when: ({ change }) => change === 'added',
    mailed: 'always',
    facts: ['at'],
  }),
  secondFactorRemoved: onEvent('user.second_factor_changed', {
    to: person,
    when: ({ change }) => change === 'removed',
    mailed: 'always',
    facts: ['at'],
  }),
  secondFactorToBeRemoved: onEvent('user.second_factor_changed', {
    to: person,
    when: ({ change }) => change === 'to_be_removed',
    mailed: 'always',
    facts: ['at'],
  }),
  secondFactorRefused: onEvent('user.second_factor_refused', {
    to: person,
    mailed: 'always',
    facts: ['at'],
  }),
  apiKeyMade: onEvent('user.api_key_changed', {
    to: person,
    when: ({ change }) => change === 'made',
    mailed: 'always',
    facts: ['at'],
  }),
  apiKeyDeleted: onEvent('user.api_key_changed', {
    to: person,
    when: ({ change }) => change === 'deleted',
    mailed: 'always',
    facts: ['at'],
  }),

  listingPublished: onEvent('listing.status_changed', {
    to: moderatedAgent,
    when: became('PUBLISHED'),
    mailed: 'listings',
    facts: ['listing'],
    reasons: 'listingReasons',
  }),
  listingRejected: onEvent('listing.status_changed', {
    to: moderatedAgent,
    when: became('REJECTED'),
    mailed: 'listings',
    facts: ['listing'],
    reasons: 'listingReasons',
  }),
  listingSuspended: onEvent('listing.status_changed', {
    to: moderatedAgent,
    when: became('SUSPENDED'),
    mailed: 'listings',
    facts: ['listing'],
    reasons: 'listingReasons',
  }),
  revisionPublished: onEvent('revision.decided', {
    to: agent,
    when: ({ outcome }) => outcome === 'PUBLISHED',
    mailed: 'listings',
    facts: ['listing'],
    reasons: 'listingReasons',
  }),
  revisionRejected: onEvent('revision.decided', {
    to: agent,
    when: ({ outcome }) => outcome === 'REJECTED',
    mailed: 'listings',
    facts: ['listing'],
    reasons: 'listingReasons',
  }),

  enquiryReceived: onEvent('enquiry.created', {
    to: agent,
    mailed: 'enquiries',
    facts: ['person', 'listing'],
  }),
  enquiryAnswered: onEvent('enquiry.replied', {
    to: otherSide,
    mailed: 'enquiries',
    facts: ['person', 'listing'],
  }),
  visitSet: onEvent('enquiry.visit_changed', {
    to: customer,
    when: ({ visitAt }) => visitAt !== null,
    mailed: 'enquiries',
    facts: ['person', 'listing', 'visit'],
  }),
  visitCancelled: onEvent('enquiry.visit_changed', {
    to: customer,
    when: ({ visitAt }) => visitAt === null,
    mailed: 'enquiries',
    facts: ['person', 'listing'],
  }),
  listingTaken: onEvent('listing.availability_changed', {
    to: closedByTaking,
    when: became('TAKEN'),
    mailed: 'enquiries',
    facts: ['listing'],
  }),

  paymentSucceeded: onEvent('payment.status_changed', {
    to: payer,
    when: isPaid,
    mailed: 'payments',
    facts: ['amount', 'receipt'],
    details: ['amount', 'purpose', 'listing', 'payee', 'at'],
  }),
  refundStarted: onEvent('payment.refund_started', {
    to: payer,
    mailed: 'payments',
    facts: ['amount'],
    details: refundLines,
  }),
  refundDone: onEvent('payment.refunded', {
    to: payer,
    mailed: 'payments',
    facts: ['amount'],
    details: refundLines,
  }),
  refundFailed: onEvent('payment.refund_failed', {
    to: payer,
    mailed: 'payments',
    facts: ['amount'],
    details: refundLines,
  }),
  paymentDisputed: onEvent('payment.status_changed', {
    to: payer,
    when: became('DISPUTED'),
    mailed: 'payments',
    facts: ['amount'],
    details: disputeLines,
  }),
  paymentChargedBack: onEvent('payment.status_changed', {
    to: payer,
    when: became('CHARGED_BACK'),
    mailed: 'payments',
    facts: ['amount'],
    details: disputeLines,
  }),

  paymentReceived: onEvent('payment.status_changed', {
    to: agentUnlessRequestPaid,
    when: isPaid,
    mailed: 'payments',
    facts: ['person', 'amount', 'listing'],
    details: incomeLines,
  }),
  requestPaid: onEvent('payment_request.paid', {
    to: agent,
    mailed: 'payments',
    facts: ['person', 'amount', 'listing'],
    details: incomeLines,
  }),
  receivedRefunded: onEvent('payment.refunded', {
    to: agent,
    // Money of any other charge was never the agent's.
    when: ({ counts }) => counts,
    mailed: 'payments',
    facts: ['amount', 'listing'],
    details: refundLines,
  }),
  receivedDisputed: onEvent('payment.status_changed', {
    to: agent,
    when: became('DISPUTED'),
    mailed: 'payments',
    facts: ['amount', 'listing'],
    details: disputeLines,
  }),
  receivedChargedBack: onEvent('payment.status_changed', {
    to: agent,
    when: became('CHARGED_BACK'),
    mailed: 'payments',
    facts: ['amount', 'listing'],
    details: disputeLines,
  }),

  payoutPaid: onEvent('payout.status_changed', {
    to: agent,
    when: became('PAID'),
    mailed: 'payments',
    facts: ['amount'],
    details: ['amount', 'at'],
  }),
  payoutFailed: onEvent('payout.status_changed', {
    to: agent,
    when: became('FAILED'),
    mailed: 'payments',
    facts: ['amount'],
    details: ['amount', 'at'],
  }),
  payoutAccountChanged: onEvent('user.payout_account_changed', {
    to: person,
    mailed: 'always',
    facts: ['at'],
  }),

  paymentRequested: onEvent('payment_request.created', {
    to: customer,
    mailed: 'payments',
    facts: ['person', 'amount', 'listing'],
    details: requestLines,
  }),
  paymentRequestDue: onEvent('payment_request.due', {
    to: customer,
    mailed: 'payments',
    facts: ['person', 'amount', 'listing', 'until'],
    details: requestLines,
  }),
  paymentRequestOverdue: onEvent('payment_request.overdue', {
    to: customer,
    mailed: 'payments',
    facts: ['person', 'amount', 'listing'],
    details: requestLines,
  }),
  favouriteReduced: onEvent('favourite.changed', {
    to: saversInPieces,
    when: ({ change }) => change === 'PRICE_REDUCED',
    mailed: 'favourites',
    isMailedDaily: true,
    facts: ['listing', 'amount', 'before'],
  }),
  favouriteTaken: onEvent('favourite.changed', {
    to: saversInPieces,
    when: ({ change }) => change === 'TAKEN',
    mailed: 'favourites',
    isMailedDaily: true,
    facts: ['listing'],
  }),
  favouriteGone: onEvent('favourite.changed', {
    to: saversInPieces,
    when: ({ change }) => change === 'GONE',
    mailed: 'favourites',
    isMailedDaily: true,
    facts: ['listing'],
  }),
  searchMatched: onEvent('saved_search.matched', {
    to: user,
    mailed: 'searches',
    facts: ['search', 'count'],
  }),

  listingReportActed: onEvent('reports.closed', { to: reporters, when: actedOn('lst_'), mailed: 'never' }),
  enquiryReportActed: onEvent('reports.closed', { to: reporters, when: actedOn('enq_'), mailed: 'never' }),
} as const

/** Names a notification in the table, in every language and in stored notifications. */
export type NotificationName = keyof typeof NOTIFICATIONS

/** Returns a notification's kind by its name. */
export const notificationKind = (name: NotificationName): NotificationKind => NOTIFICATIONS[name]

/** Every name, in the order of the table. */
export const NOTIFICATION_NAMES = Object.keys(NOTIFICATIONS).filter(isNotificationName)

/** Returns the notifications that an event makes, in the order of the table. */
export const notificationsOf = (event: DomainEvent): NotificationName[] =>
  NOTIFICATION_NAMES.filter(
    (name) => NOTIFICATIONS[name].event === event.type && NOTIFICATIONS[name].isOf(event),
  )

/** Whether this version of the service knows a notification of this name. */
export function isNotificationName(name: string): name is NotificationName {
  return Object.hasOwn(NOTIFICATIONS, name)
}
