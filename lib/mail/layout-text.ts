import type { Locale } from '#lib/kernel/locale'
import type { MailContent } from './mail-content.ts'
import { mailWordsIn } from './words/words-in.ts'

/** Makes the text part of a mail: everything that the HTML part says, in paragraphs. */
export function layOutText(content: MailContent): string {
  const { locale, text, points, items, message, details, action, closing } = content
  const words = mailWordsIn(locale)
  const paragraphs = [
    text,
    points.map((point) => `- ${point}`).join('\n'),
    items.map(({ text: line, address }) => [`- ${line}`, address].filter(Boolean).join('\n  ')).join('\n'),
    message !== null && `${words.message}\n${message}`,
    details.map(({ label, value }) => `${label}${colonIn(locale)} ${value}`).join('\n'),
    action && `${action.label}${colonIn(locale)}\n\n${action.address}`,
    closing,
    footerOf(content),
  ]
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`
}

/** Returns the link that switches such mails off, or says that they are always sent. A mailed link (null) has no footer. */
function footerOf({ locale, optOut }: MailContent): string {
  if (optOut === null) return ''
  const words = mailWordsIn(locale)
  return optOut === 'none' ? words.always : `${words.stop[optOut.topic]}${colonIn(locale)}\n${optOut.address}`
}

/** French sets a no-break space before a colon. */
const colonIn = (locale: Locale): string => (locale === 'fr' ? '\u00a0:' : ':')
