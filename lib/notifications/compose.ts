import type { Timestamp } from '#lib/kernel/clock'
import { EnquiryId, ListingId, PaymentRequestId } from '#lib/kernel/id'
import type { Locale } from '#lib/kernel/locale'
import { amountIn, inlineIn, momentIn, numberIn } from '#lib/kernel/localized'
import type { Detail, MailContent } from '#lib/mail/mail-content'
import type { NotificationFacts } from './notification-facts.ts'
import { notificationKind, type SentenceFact } from './recipients.ts'
import type { CodeWords, Label } from './words/codes/codes.ts'
import { codeWordsIn, notificationWordsIn } from './words/words-in.ts'

/** Returns a notification in words: a title that is enough alone, and a text with one line for each further fact. */
export function composeNotification(
  locale: Locale,
  facts: NotificationFacts,
): { title: string; text: string } {
  const { title, text } = sentencesOf(locale, facts)
  const found = facts.found.map((listing) => quoteIn(locale, listing.title))
  const lines = [text, ...found, reasonsIn(locale, facts).join(' '), facts.message]
  return { title, text: lines.filter(Boolean).join('\n') }
}

/** The addresses of the pages that mails link to, before an id is added; null where the front end has no such page. */
export type LinkedPages = Readonly<Record<keyof CodeWords['actions'], string | null>>

/** Returns the mail of a notification. Its link opens the page of `subject`, the id of what the notification is about. */
export function composeMail(
  locale: Locale,
  facts: NotificationFacts,
  { subject, pages, optOut }: { subject: string; pages: LinkedPages; optOut: MailContent['optOut'] },
): MailContent {
  return {
    locale,
    ...sentencesOf(locale, facts),
    points: reasonsIn(locale, facts),
    items: facts.found.map(({ id, title }) => ({
      text: quoteIn(locale, title),
      address: pages.listing && withId(pages.listing, id),
    })),
    message: facts.message,
    details: detailsIn(locale, facts),
    action: actionIn(locale, subject, pages),
    closing: null,
    optOut,
  }
}

/** Returns one mail for several notifications, each a line with a link to its subject. */
export function composeDigest(
  locale: Locale,
  notifications: readonly { subject: string; facts: NotificationFacts }[],
  { pages, optOut }: { pages: LinkedPages; optOut: MailContent['optOut'] },
): MailContent {
  return {
    locale,
    ...codeWordsIn(locale).digest,
    points: [],
    items: notifications.map(({ subject, facts }) => {
      const { title, text } = composeNotification(locale, facts)
      return { text: `${title}. ${text}`, address: actionIn(locale, subject, pages)?.address ?? null }
    }),
    message: null,
    details: [],
    action: null,
    closing: null,
    optOut,
  }
}

function actionIn(locale: Locale, subject: string, pages: LinkedPages): MailContent['action'] {
  const name = pageOf(subject)
  const page = name && pages[name]
  return page ? { label: codeWordsIn(locale).actions[name], address: withId(page, subject) } : null
}

/** Returns the page that shows a subject; undefined for a subject without one. */
function pageOf(subject: string): keyof LinkedPages | undefined {
  if (ListingId.safeParse(subject).success) return 'listing'
  if (EnquiryId.safeParse(subject).success) return 'enquiry'
  return PaymentRequestId.safeParse(subject).success ? 'request' : undefined
}

function sentencesOf(locale: Locale, facts: NotificationFacts): { title: string; text: string } {
  const words = notificationWordsIn(locale)[facts.name]
  return typeof words === 'function' ? words(valuesIn(locale, facts)) : words
}

/** Returns the values of a sentence. Most are getters, formatted only when a sentence names them: `Intl` is slow. */
function valuesIn(locale: Locale, facts: NotificationFacts): Record<SentenceFact, string> {
  const { someone, aListing, aSearch } = codeWordsIn(locale)
  // The event's time stands in for a moment that is missing.
  const momentOrEventTime = (at: Timestamp | null) => momentIn(locale, at ?? facts.at)
  return {
    person: quotedIfAny(locale, facts.person) ?? someone,
    listing: facts.listing === null ? aListing : inlineIn(locale, facts.listing),
    receipt: facts.receipt ?? '',
    search: facts.search === null ? aSearch : inlineIn(locale, facts.search),
    get before() {
      return facts.priceBefore ? amountIn(locale, facts.priceBefore) : ''
    },
    get count() {
      return numberIn(locale, facts.count ?? 0)
    },
    get amount() {
      return facts.money ? amountIn(locale, facts.money) : ''
    },
    get at() {
      return momentIn(locale, facts.at)
    },
    get until() {
      return momentOrEventTime(facts.until)
    },
    get visit() {
      return momentOrEventTime(facts.visitAt)
    },
  }
}

function detailsIn(locale: Locale, facts: NotificationFacts): Detail[] {
  const { labels } = codeWordsIn(locale)
  return notificationKind(facts.name).details.flatMap((label) => {
    const value = DETAIL_VALUES[label](facts, locale)
    return value ? [{ label: labels[label], value }] : []
  })
}

/** Quotes a person's words, so that no reader takes them for ours. */
const quoteIn = (locale: Locale, text: string): string => codeWordsIn(locale).quoted(inlineIn(locale, text))
const quotedIfAny = (locale: Locale, text: string | null) => text && quoteIn(locale, text)
const momentIfAny = (locale: Locale, at: Timestamp | null) => at && momentIn(locale, at)

const DETAIL_VALUES: Record<Label, (facts: NotificationFacts, locale: Locale) => string | null> = {
  amount: ({ money }, locale) => money && amountIn(locale, money),
  purpose: ({ purpose }, locale) => purpose && codeWordsIn(locale).purposes[purpose],
  listing: ({ listing }, locale) => quotedIfAny(locale, listing),
  payee: ({ person }, locale) => quotedIfAny(locale, person),
  payer: ({ person }, locale) => quotedIfAny(locale, person),
  at: ({ at }, locale) => momentIn(locale, at),
  until: ({ until }, locale) => momentIfAny(locale, until),
  dueAt: ({ dueAt }, locale) => momentIfAny(locale, dueAt),
  browser: ({ browser }, locale) => quotedIfAny(locale, browser),
  network: ({ network }, locale) => network && inlineIn(locale, network),
}

function reasonsIn(locale: Locale, { name, reasons }: NotificationFacts): string[] {
  const kind = notificationKind(name).reasons
  if (!kind) return []
  const words: Readonly<Record<string, string>> = codeWordsIn(locale)[kind]
  const { other = '' } = words
  return reasons.map((code) => words[code] ?? other)
}

/** Returns a page's address with the id added to the query that it has. */
function withId(page: string, id: string): string {
  const address = new URL(page)
  address.searchParams.set('id', id)
  return address.href
}
