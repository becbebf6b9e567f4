import type { Locale } from '#lib/kernel/locale'

/** The topics of mail that a person may switch off. */
export const MAIL_TOPICS = ['listings', 'enquiries', 'payments', 'favourites', 'searches'] as const
export type MailTopic = (typeof MAIL_TOPICS)[number]

/** A line of a mail's list with its own link, where the front end has a page for it. */
export type MailItem = { text: string; address: string | null }

/** A fact of a mail in a line of its own, such as an amount. */
export type Detail = { label: string; value: string }

/** The content of one mail, before its layout. Its texts may hold strangers' words: the layout escapes all of them. */
export type MailContent = {
  locale: Locale
  /** Also the mail's subject. */
  title: string
  text: string
  /** Sentences of a list, such as the reasons of a decision. */
  points: readonly string[]
  /** The items of the mail, such as the listings that a search found. */
  items: readonly MailItem[]
  /** An administrator's text to the person. */
  message: string | null
  details: readonly Detail[]
  /** The button to the page where the reader can act. */
  action: { label: string; address: string } | null
  /** The text after the action. */
  closing: string | null
  /**
   * The page on which the reader switches off the mails of a topic; `none` for a mail that cannot be switched off. Null
   * for a mailed link, which comes only when it was asked for.
   */
  optOut: { topic: MailTopic; address: string } | 'none' | null
}
