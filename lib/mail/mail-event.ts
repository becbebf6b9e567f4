import * as z from 'zod'
import { Moment, type Timestamp } from '#lib/kernel/clock'
import { MailId } from '#lib/kernel/id'

/** The fate of a mail after it was handed over, as the receiver’s server or the receiver reported it. */
export type MailEvent = {
  kind: 'bounced' | 'complained'
  /** Whether the address gets no further mail: it can never receive any, or its owner complained. */
  isPermanent: boolean
  /** The id of the mail; undefined where it is not one of this service. */
  id: MailId | undefined
  addresses: string[]
  /** The words of the receiver’s server; of a complaint, its kind. */
  cause: string
  at: Timestamp
}

const Recipient = z.object({ emailAddress: z.string(), diagnosticCode: z.string().optional() })
const mail = z.object({ tags: z.record(z.string(), z.array(z.string())).default({}) })

/**
 * The fields of an SES event that are read.
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
const SesEvent = z.discriminatedUnion('eventType', [
  z.object({
    eventType: z.literal('Bounce'),
    mail,
    bounce: z.object({
      bounceType: z.string(),
      bounceSubType: z.string().default(''),
      bouncedRecipients: z.array(Recipient),
      timestamp: Moment,
    }),
  }),
  z.object({
    eventType: z.literal('Complaint'),
    mail,
    complaint: z.object({
      complaintFeedbackType: z.string().default('complaint'),
      complainedRecipients: z.array(Recipient),
      timestamp: Moment,
    }),
  }),
])

/** The name of the SES tag that holds the id of a mail. */
export const MAIL_TAG = 'mail'

/** Reads an event of SES. Returns undefined for the test message that SES sends to a new topic, which is not JSON. */
export function readMailEvent(body: string): MailEvent | undefined {
  if (!body.startsWith('{')) return undefined
  const event = SesEvent.parse(JSON.parse(body))
  const id = MailId.safeParse(event.mail.tags[MAIL_TAG]?.[0]).data
  if (event.eventType === 'Complaint') {
    const { complaintFeedbackType: cause, complainedRecipients, timestamp: at } = event.complaint
    return {
      kind: 'complained',
      isPermanent: true,
      id,
      addresses: addressesOf(complainedRecipients),
      cause,
      at,
    }
  }
  const { bounceType, bounceSubType, bouncedRecipients, timestamp: at } = event.bounce
  const diagnostics = bouncedRecipients.flatMap(({ diagnosticCode }) => diagnosticCode ?? [])
  return {
    kind: 'bounced',
    isPermanent: bounceType === 'Permanent',
    id,
    addresses: addressesOf(bouncedRecipients),
    cause: [`${bounceType} ${bounceSubType}`.trim(), ...diagnostics].join(': '),
    at,
  }
}

/** Returns the addresses alone: SES may write `Name <address>`. */
const addressesOf = (recipients: readonly z.infer<typeof Recipient>[]): string[] =>
  recipients.map(({ emailAddress }) => /<([^<>]+)>\s*$/.exec(emailAddress)?.[1] ?? emailAddress)
