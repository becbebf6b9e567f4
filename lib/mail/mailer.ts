import type { MailId } from '#lib/kernel/id'

/** A message to one person, once as text and once as HTML. */
export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** Further header fields, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Hands a message over for delivery. Throws when that fails; a message may then have been sent or not. `MailRefused` is
 * thrown where trying again is of no use. Later reports of the message name `id`.
 */
export type Mailer = { send: (mail: Mail, id?: MailId) => Promise<void> }

/** Reads how many mails may be sent in a second. */
export type SendingRate = () => Promise<number>

/** A permanent refusal, such as of an address that does not exist. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}
