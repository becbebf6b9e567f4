import type { Locale } from '#lib/kernel/locale'
import { durationIn } from '#lib/kernel/localized'
import type { MailContent } from './mail-content.ts'
import type { LinkPurpose } from './mail-request.ts'
import type { MailWords } from './words/words.ts'
import { mailWordsIn } from './words/words-in.ts'

/**
 * Makes the content of a mail with a link. It holds no words of the person who asked for the link, since the address may
 * be somebody else's.
 */
export function linkMailContent(
  locale: Locale,
  purpose: LinkPurpose,
  address: string,
  lifetimeSeconds: number,
): MailContent {
  const lifetime = durationIn(locale, lifetimeSeconds)
  const { title, text, action, closing } = mailWordsIn(locale).links[purpose]({ lifetime })
  return { ...plain(locale, { title, text }), action: { label: action, address }, closing }
}

/** A notice to the owner of an address about a change of addresses, without a link. */
export type AddressNotification = keyof Pick<MailWords, 'emailChangeAsked' | 'emailTaken'>

/** Makes the content of such a notice. */
export const addressMailContent = (locale: Locale, notification: AddressNotification): MailContent =>
  plain(locale, mailWordsIn(locale)[notification])

const plain = (locale: Locale, { title, text }: { title: string; text: string }): MailContent => ({
  locale,
  title,
  text,
  points: [],
  items: [],
  message: null,
  details: [],
  action: null,
  closing: null,
  optOut: null,
})
