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
 * Hands a message over for delivery. Throws when that fails; a message may then have been sent or not. `MailRefused`
 * is thrown where trying again is of no use. What becomes of the message later is reported under `id`.
 */
export type Mailer = { send: (mail: Mail, id?: MailId) => Promise<void> }

/** A message that is refused for good, such as one to an address that does not exist. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}
