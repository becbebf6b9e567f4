import type * as z from 'zod'
import type { DomainEvent } from '#lib/events/event'
import { EVENTS, type EventData, type EventType } from '#lib/events/event-types'
import type { Timestamp } from '#lib/kernel/clock'
import { type EventId, ListingId, UserId } from '#lib/kernel/id'
import type { MailTopic } from '#lib/mail/letter'
import type { NoticeName } from './words/words.ts'

/** By which preference a notice is mailed: `always` follows none, `never` is not mailed. */
export type Mailed = MailTopic | 'always' | 'never'

/** Answers who is concerned, where an event does not say so itself. */
export type Concerned = {
  /** Whether an administrator, and not the service, made a move of a listing. */
  isModerated: (listing: ListingId, move: EventId) => Promise<boolean>
  /** The customers whose enquiries were closed because the listing was taken. */
  closedByTaking: (listing: ListingId, event: EventId) => Promise<readonly UserId[]>
  /** The signed-in people whose reports of a listing or an enquiry were closed at this moment. */
  reporters: (subject: string, at: Timestamp) => Promise<readonly UserId[]>
}

type People = readonly (UserId | null)[]
type Whom<Data> = (
  event: { id: EventId; subject: string; at: Timestamp; data: Data },
  concerned: Concerned,
) => People | Promise<People>

/** At this event these people are given this notice, which is mailed so. */
export type Row = {
  event: EventType
  notice: NoticeName
  mailed: Mailed
  whom: (event: DomainEvent, concerned: Concerned) => Promise<People>
}

const DATA: { readonly [Type in EventType]: z.ZodType<EventData<Type>> } = EVENTS

const row = <Type extends EventType>(
  type: Type,
  notice: NoticeName,
  mailed: Mailed,
  whom: Whom<EventData<Type>>,
  when: (data: EventData<Type>, subject: string) => boolean = () => true,
): Row => ({
  event: type,
  notice,
  mailed,
  whom: async (event, concerned) => {
    const data = DATA[type].parse(event.data)
    return when(data, event.subject) ? whom({ ...event, data }, concerned) : []
  },
})

const person: Whom<unknown> = ({ subject }) => [UserId.parse(subject)]
const user: Whom<{ userId: UserId }> = ({ data }) => [data.userId]
const payer = user
const agent: Whom<{ agentId: UserId | null }> = ({ data }) => [data.agentId]
const customer: Whom<{ customerId: UserId }> = ({ data }) => [data.customerId]
const moderatedAgent: Whom<{ agentId: UserId }> = async ({ id, subject, data }, { isModerated }) =>
  (await isModerated(ListingId.parse(subject), id)) ? [data.agentId] : []
const otherSide: Whom<EventData<'enquiry.replied'>> = ({ data }) => [
  data.from === 'customer' ? data.agentId : data.customerId,
]
const closedByTaking: Whom<unknown> = ({ id, subject }, concerned) =>
  concerned.closedByTaking(ListingId.parse(subject), id)
const reporters: Whom<unknown> = ({ subject, at }, concerned) => concerned.reporters(subject, at)

const became =
  (state: string) =>
  ({ to }: { to: string }): boolean =>
    to === state
/** Money that is back after a dispute, or was there already, did not come anew. */
const isPaid = ({ from, to }: { from: string; to: string }): boolean =>
  to === 'SUCCEEDED' && !['PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED', 'CHARGED_BACK'].includes(from)
/** A payment that was asked for is told as the request that was paid. */
const isPaidUnasked = (data: EventData<'payment.status_changed'>): boolean =>
  isPaid(data) && data.paymentRequestId === null
const actedOn =
  (prefix: 'lst_' | 'enq_') =>
  ({ outcome }: EventData<'reports.closed'>, subject: string): boolean =>
    outcome === 'ACTED' && subject.startsWith(prefix)

/** Who is told of what. A person who is concerned twice by one event is given the first notice. */
export const TOLD: readonly Row[] = [
  row('kyc.status_changed', 'identityVerified', 'always', person, became('VERIFIED')),
  row('kyc.status_changed', 'identityRejected', 'always', person, became('REJECTED')),
  row('kyc.status_changed', 'identityExpired', 'always', person, became('EXPIRED')),
  row('kyc.expiring', 'identityExpiring', 'always', person),

  row('user.password_changed', 'passwordChanged', 'always', person, ({ by }) => by === 'change'),
  row('user.password_changed', 'passwordReset', 'always', person, ({ by }) => by === 'reset'),
  row('user.email_changed', 'emailChanged', 'always', person, ({ undone }) => !undone),
  row('user.email_changed', 'emailRestored', 'always', person, ({ undone }) => undone),
  row('user.signed_in_elsewhere', 'signedInElsewhere', 'always', person),
  row('session.reused', 'sessionReused', 'always', user),

  row('listing.status_changed', 'listingPublished', 'listings', moderatedAgent, became('PUBLISHED')),
  row('listing.status_changed', 'listingRejected', 'listings', moderatedAgent, became('REJECTED')),
  row('listing.status_changed', 'listingSuspended', 'listings', moderatedAgent, became('SUSPENDED')),
  row('revision.decided', 'revisionPublished', 'listings', agent, ({ outcome }) => outcome === 'PUBLISHED'),
  row('revision.decided', 'revisionRejected', 'listings', agent, ({ outcome }) => outcome === 'REJECTED'),

  row('enquiry.created', 'enquiryReceived', 'enquiries', agent),
  row('enquiry.replied', 'enquiryAnswered', 'enquiries', otherSide),
  row('enquiry.visit_changed', 'visitSet', 'enquiries', customer, ({ visitAt }) => visitAt !== null),
  row('enquiry.visit_changed', 'visitCancelled', 'enquiries', customer, ({ visitAt }) => visitAt === null),
  row('listing.availability_changed', 'listingTaken', 'enquiries', closedByTaking, became('TAKEN')),

  row('payment.status_changed', 'paymentSucceeded', 'payments', payer, isPaid),
  row('payment.refund_started', 'refundStarted', 'payments', payer),
  row('payment.refunded', 'refundDone', 'payments', payer),
  row('payment.refund_failed', 'refundFailed', 'payments', payer),
  row('payment.status_changed', 'paymentDisputed', 'payments', payer, became('DISPUTED')),
  row('payment.status_changed', 'paymentChargedBack', 'payments', payer, became('CHARGED_BACK')),

  row('payment.status_changed', 'paymentReceived', 'payments', agent, isPaidUnasked),
  row('payment_request.paid', 'requestPaid', 'payments', agent),
  row('payment.refunded', 'receivedRefunded', 'payments', agent),
  row('payment.status_changed', 'receivedDisputed', 'payments', agent, became('DISPUTED')),
  row('payment.status_changed', 'receivedChargedBack', 'payments', agent, became('CHARGED_BACK')),

  row('payment_request.created', 'paymentRequested', 'payments', customer),
  row('reports.closed', 'listingReportActed', 'never', reporters, actedOn('lst_')),
  row('reports.closed', 'enquiryReportActed', 'never', reporters, actedOn('enq_')),
]

/** How a notice is mailed; one that is not in the table is not. */
export const mailedAs = (notice: string): Mailed =>
  TOLD.find((row) => row.notice === notice)?.mailed ?? 'never'
