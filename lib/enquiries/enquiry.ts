import * as z from 'zod'
import { Phone } from '#lib/accounts/account'
import { Moment, Timestamp } from '#lib/kernel/clock'
import { derivedId, EnquiryId, EventId, ListingId, MessageId, type NewId, UserId } from '#lib/kernel/id'
import { text } from '#lib/kernel/text'

/** NEW until the agent replies; the next message opens a CLOSED enquiry again. */
export const EnquiryStatus = z.enum(['NEW', 'OPEN', 'CLOSED']).meta({ id: 'EnquiryStatus' })
export type EnquiryStatus = z.infer<typeof EnquiryStatus>

/** The two sides of an enquiry: who asked, and whose listing it is. */
export const Side = z.enum(['customer', 'agent'])
export type Side = z.infer<typeof Side>

/** Why one side reports the other. */
export const EnquiryReportReason = z
  .enum(['spam', 'harassment', 'suspected_fraud', 'discrimination', 'asks_to_pay_elsewhere', 'other'])
  .meta({ id: 'EnquiryReportReason' })

/** The moderator's conclusion from reports: DISMISSED without consequences, ACTED with some. */
export const ReportOutcome = z.enum(['DISMISSED', 'ACTED']).meta({ id: 'ReportOutcome' })
export type ReportOutcome = z.infer<typeof ReportOutcome>

/** The newest report of one side. It is open while `closedAt` is null. `text` is null once its author is erased. */
export const EnquiryReport = z.object({
  reason: EnquiryReportReason,
  text: z.string().nullable(),
  at: Timestamp,
  closedAt: Timestamp.nullable(),
  outcome: ReportOutcome.nullable(),
})
export type EnquiryReport = z.infer<typeof EnquiryReport>

const bySide = <Value extends z.ZodType>(value: Value) => z.object({ customer: value, agent: value })

/** The agreed time of a visit. */
export const Visit = z.object({
  at: Timestamp,
  note: z.string().nullable().meta({ example: 'The gate is on the left.' }),
})

/**
 * The record of a conversation between a customer and an agent about one listing; its messages are items of their own.
 * `version` rises with every change and every message.
 */
export const Enquiry = z.object({
  id: EnquiryId,
  listingId: ListingId,
  customerId: UserId,
  agentId: UserId,
  status: EnquiryStatus,
  /** The telephone number that the customer gave in this enquiry. */
  phone: z.string().nullable(),
  /** The times that the customer proposed for a visit. */
  visitAt: z.array(Timestamp),
  visit: Visit.nullable(),
  /** The number of messages that each side has sent. */
  sent: bySide(z.int()),
  /** The number of the other side's messages that each side has read. */
  read: bySide(z.int()),
  /** When the agent first answered. */
  answeredAt: Timestamp.nullable(),
  lastMessageId: MessageId,
  lastMessageAt: Timestamp,
  /** The numbers of open and of paid payment requests of this enquiry. */
  requests: z.object({ open: z.int(), paid: z.int() }),
  reports: bySide(EnquiryReport.nullable()),
  /** Sides whose account has ended and whose words are erased. They write nothing any more. */
  erased: bySide(z.boolean()),
  /** The event of a TAKEN listing that closed this enquiry. A repeated delivery of that event does not close it again. */
  closedBy: EventId.nullable(),
  version: z.int(),
  createdAt: Timestamp,
})
export type Enquiry = z.infer<typeof Enquiry>

/** One message. `text` is null once its author is erased. */
export const Message = z.object({
  id: MessageId,
  from: Side,
  text: z
    .string()
    .nullable()
    .meta({ example: 'Is the apartment free from January? I would like to see it on Saturday.' }),
  at: Timestamp,
  /**
   * The number of messages that each side had sent, this one included. Once a side has read this message, that side's
   * `read` is the other side's number here.
   */
  sent: bySide(z.int()),
})
export type Message = z.infer<typeof Message>

const MessageText = text({ max: 2000 }).meta({
  example: 'Is the apartment free from January? I would like to see it on Saturday.',
})

/** A customer's question, with at most three proposed times for a visit, all in the future. */
export const NewEnquiry = z.object({
  message: MessageText,
  phone: Phone.nullish(),
  visitAt: z.array(Moment).max(3).nullish(),
})
export type NewEnquiry = z.infer<typeof NewEnquiry>

/** A further message. */
export const NewMessage = z.object({
  text: MessageText.meta({ example: 'It is. Would Saturday at ten suit you?' }),
})

/** The changes that an agent may make to an enquiry. */
export const EnquiryChange = z
  .object({
    status: z.enum(['OPEN', 'CLOSED']).optional(),
    visit: z
      .object({ at: Moment, note: text({ max: 1000 }).nullish() })
      .nullable()
      .optional(),
  })
  .meta({ example: { visit: { at: '2026-11-28T10:00:00.000Z', note: 'The gate is on the left.' } } })
export type EnquiryChange = z.infer<typeof EnquiryChange>

/**
 * Returns an id for the enquiry of a customer about a listing. Its last 16 characters depend on listing and customer
 * alone, and are the enquiry's key. The time before them is the present one, taken from an event's id.
 */
export const enquiryIdOf = (newId: NewId, listingId: ListingId, customerId: UserId): EnquiryId =>
  derivedId('enquiry', newId('event'), [listingId, customerId])

export const otherSide = (side: Side): Side => (side === 'customer' ? 'agent' : 'customer')

/** Returns the side that a user is on; undefined for a user on neither side. */
export function sideOf({ customerId, agentId }: Enquiry, userId: UserId): Side | undefined {
  if (userId === customerId) return 'customer'
  return userId === agentId ? 'agent' : undefined
}

/** Returns the user on a side. */
export const userOn = (side: Side, { customerId, agentId }: Enquiry): UserId =>
  side === 'customer' ? customerId : agentId

/** Returns the number of the other side's messages that a side has not read. */
export const unreadCount = ({ sent, read }: Enquiry, side: Side): number => sent[otherSide(side)] - read[side]

/** Returns the status after a message. Before the agent's first answer a CLOSED enquiry becomes NEW, otherwise OPEN. */
export function statusAfterMessage({ status, sent }: Enquiry, from: Side): EnquiryStatus {
  if (from === 'agent' || status === 'OPEN') return 'OPEN'
  return sent.agent > 0 ? 'OPEN' : 'NEW'
}

/** Returns the agent of an enquiry: an API key acts on enquiries whose agent holds it. */
export const agentOf = ({ agentId }: Pick<Enquiry, 'agentId'>): UserId => agentId
