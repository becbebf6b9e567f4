import type { Locale } from '#lib/kernel/locale'
import { durationIn } from '#lib/kernel/localized'
import type { Letter } from './letter.ts'
import type { LinkKind, MailWords } from './words/words.ts'
import { mailWordsIn } from './words/words-in.ts'

/**
 * The letter that carries a link. Says nothing that the person who asked for the link could have chosen, since the
 * address may be somebody else's.
 */
export function linkLetter(locale: Locale, kind: LinkKind, address: string, lifetimeSeconds: number): Letter {
  const lifetime = durationIn(locale, lifetimeSeconds)
  const { title, text, action, closing } = mailWordsIn(locale).links[kind]({ lifetime })
  return { ...plain(locale, { title, text }), action: { label: action, address }, closing }
}

/** What is written to the owner of an address about a change of addresses, without a link. */
export type AddressNotice = keyof Pick<MailWords, 'emailChangeAsked' | 'emailTaken'>

/** The letter of such a notice. */
export const addressLetter = (locale: Locale, notice: AddressNotice): Letter =>
  plain(locale, mailWordsIn(locale)[notice])

const plain = (locale: Locale, { title, text }: { title: string; text: string }): Letter => ({
  locale,
  title,
  text,
  points: [],
  message: null,
  details: [],
  action: null,
  closing: null,
  optOut: null,
})
