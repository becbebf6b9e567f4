import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { MailId, RegistrationId } from '#lib/kernel/id'

/** What a mailed link is for. */
export const LinkPurpose = z.enum(['password-reset', 'email-verification'])
export type LinkPurpose = z.infer<typeof LinkPurpose>

/**
 * That somebody asked for a link to be mailed to an address. Whether the address is anyone's is looked up
 * afterwards, so that the answer to the request and the time it takes tell nothing.
 */
export const MailRequest = z.object({
  id: MailId,
  purpose: LinkPurpose,
  /** As whoever asked wrote it. */
  email: z.string(),
  /** The registration that is meant, where the one who asked was signed in. */
  registration: RegistrationId.nullable(),
  at: Timestamp,
})
export type MailRequest = z.infer<typeof MailRequest>

/** Takes requests down; the table's stream carries each to the function that sends mail, at least once. */
export type MailQueue = { put: (request: MailRequest) => Promise<void> }

/** A request that nobody got to for this long is not answered any more. */
export const MAIL_REQUEST_SECONDS = 30 * 60
