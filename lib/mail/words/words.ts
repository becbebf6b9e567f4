import type { MailTopic } from '#lib/mail/mail-content'
import type { LinkPurpose } from '#lib/mail/mail-request'

/** The texts of a mail with a link. `lifetime` is how long the link works. */
type LinkWords = (values: { lifetime: string }) => {
  title: string
  text: string
  /** The text of the link's button. */
  action: string
  /** The number of uses and the time of the link, and advice to a reader who did not ask for it. */
  closing: string
}

/** One language's words for mailed links, and for what stands around every mail. */
export type MailWords = {
  links: Record<LinkPurpose, LinkWords>
  /** To the present address of an account, when another was asked for. */
  emailChangeAsked: { title: string; text: string }
  /** To the owner of an address that somebody wants to use in another account. */
  emailTaken: { title: string; text: string }
  /** Before the address of a link, for a reader whose button does not work. */
  orOpen: string
  /** Before what an administrator wrote. */
  message: string
  /** Why this mail cannot be switched off. */
  always: string
  /** The link that switches the mails of a topic off. */
  stop: Record<MailTopic, string>
}
