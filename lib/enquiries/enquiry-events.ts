import { announce } from '#lib/events/event'
import type { Timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Enquiry, EnquiryReport, Message, ReportOutcome, Side } from './enquiry.ts'

type Announced = { newId: NewId; enquiry: Enquiry; at: Timestamp }

const idsOf = ({ listingId, customerId, agentId }: Enquiry) => ({ listingId, customerId, agentId })

/** Announces that a customer asked about a listing for the first time. */
export const announceEnquiry = (newId: NewId, enquiry: Enquiry, { id: messageId, at }: Message): Write =>
  announce({
    id: newId('event'),
    type: 'enquiry.created',
    subject: enquiry.id,
    at,
    data: { ...idsOf(enquiry), messageId },
  })

/** Announces a further message, of either side. */
export const announceReply = (newId: NewId, enquiry: Enquiry, { id: messageId, from, at }: Message): Write =>
  announce({
    id: newId('event'),
    type: 'enquiry.replied',
    subject: enquiry.id,
    at,
    data: { ...idsOf(enquiry), from, messageId },
  })

/** Announces that the agent set, moved or cancelled a visit. */
export const announceVisit = ({ newId, enquiry, at }: Announced): Write =>
  announce({
    id: newId('event'),
    type: 'enquiry.visit_changed',
    subject: enquiry.id,
    at,
    data: { ...idsOf(enquiry), visitAt: enquiry.visit?.at ?? null },
  })

/** Announces a report. Its text stays in the enquiry. */
export const announceReport = (
  { newId, enquiry, at }: Announced,
  by: Side,
  reason: EnquiryReport['reason'],
): Write =>
  announce({
    id: newId('event'),
    type: 'enquiry.reported',
    subject: enquiry.id,
    at,
    data: { ...idsOf(enquiry), by, reason },
  })

/** Announces that administrators closed all open reports of an enquiry. */
export const announceReportsClosed = (
  { newId, enquiry, at }: Announced,
  outcome: ReportOutcome,
  count: number,
): Write =>
  announce({ id: newId('event'), type: 'reports.closed', subject: enquiry.id, at, data: { outcome, count } })
