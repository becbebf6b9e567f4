import type { Timestamp } from '#lib/kernel/clock'
import type { Locale } from '#lib/kernel/locale'
import { amountIn, inlineIn, momentIn } from '#lib/kernel/localized'
import type { Detail, Letter } from '#lib/mail/letter'
import type { Matter } from './matter.ts'
import type { CodeWords, Label } from './words/codes/codes.ts'
import type { NoticeName, ValueName } from './words/words.ts'
import { codeWordsIn, noticeWordsIn } from './words/words-in.ts'

/** A notice in words: a title that is enough alone, and what there is to add, each thought in a line. */
export function wordsOf(locale: Locale, matter: Matter): { title: string; text: string } {
  const { title, text } = sentencesOf(locale, matter)
  const said = [text, reasonsIn(locale, matter).join(' '), matter.message]
  return { title, text: said.filter(Boolean).join('\n') }
}

/** Where the links of mails lead, without the ids: null where the front end has no such page. */
export type NoticePages = Readonly<Record<keyof CodeWords['actions'], string | null>>

/**
 * A notice as a letter. `subject` is the id of what it is about, for the page that its link opens; `optOut` is said
 * as `Letter` has it.
 */
export function letterOf(
  locale: Locale,
  matter: Matter,
  { subject, pages, optOut }: { subject: string; pages: NoticePages; optOut: Letter['optOut'] },
): Letter {
  const action = ACTIONS[matter.name]
  const page = action ? pages[action] : null
  return {
    locale,
    ...sentencesOf(locale, matter),
    points: reasonsIn(locale, matter),
    message: matter.message,
    details: detailsIn(locale, matter),
    action:
      action && page ? { label: codeWordsIn(locale).actions[action], address: about(page, subject) } : null,
    closing: null,
    optOut,
  }
}

/** The pages that the links of mails open. */
const ACTIONS: Partial<Record<NoticeName, keyof CodeWords['actions']>> = {
  enquiryReceived: 'enquiry',
  enquiryAnswered: 'enquiry',
  visitSet: 'enquiry',
  visitCancelled: 'enquiry',
  listingTaken: 'enquiry',
  paymentRequested: 'request',
}

/** What mails say in a table, beside their sentences. */
const DETAILS: Partial<Record<NoticeName, readonly Label[]>> = {
  identityVerified: ['until'],
  signedInElsewhere: ['at', 'browser', 'network'],
  paymentSucceeded: ['amount', 'purpose', 'listing', 'payee', 'at'],
  refundStarted: ['amount', 'listing', 'at'],
  refundDone: ['amount', 'listing', 'at'],
  refundFailed: ['amount', 'listing', 'at'],
  paymentDisputed: ['amount', 'purpose', 'listing', 'at'],
  paymentChargedBack: ['amount', 'purpose', 'listing', 'at'],
  paymentReceived: ['amount', 'purpose', 'listing', 'payer', 'at'],
  requestPaid: ['amount', 'purpose', 'listing', 'payer', 'at'],
  receivedRefunded: ['amount', 'listing', 'at'],
  receivedDisputed: ['amount', 'purpose', 'listing', 'at'],
  receivedChargedBack: ['amount', 'purpose', 'listing', 'at'],
  paymentRequested: ['amount', 'purpose', 'listing', 'payee', 'dueAt'],
}

/** Which codes a notice gives reasons in. */
const REASONS: Partial<Record<NoticeName, 'identityReasons' | 'listingReasons'>> = {
  identityVerified: 'identityReasons',
  identityRejected: 'identityReasons',
  listingPublished: 'listingReasons',
  listingRejected: 'listingReasons',
  listingSuspended: 'listingReasons',
  revisionPublished: 'listingReasons',
  revisionRejected: 'listingReasons',
}

function sentencesOf(locale: Locale, matter: Matter): { title: string; text: string } {
  const words = noticeWordsIn(locale)[matter.name]
  return typeof words === 'function' ? words(valuesIn(locale, matter)) : words
}

/** Each value is written only when a sentence names it: formats of `Intl` are slow to make. */
function valuesIn(locale: Locale, matter: Matter): Record<ValueName, string> {
  const { someone, aListing } = codeWordsIn(locale)
  const moment = (at: Timestamp | null) => momentIn(locale, at ?? matter.at)
  return {
    person: matter.person === null ? someone : inlineIn(locale, matter.person),
    listing: matter.listing === null ? aListing : inlineIn(locale, matter.listing),
    receipt: matter.receipt ?? '',
    get amount() {
      return matter.money ? amountIn(locale, matter.money) : ''
    },
    get at() {
      return moment(matter.at)
    },
    get until() {
      return moment(matter.until)
    },
    get visit() {
      return moment(matter.visit)
    },
  }
}

function detailsIn(locale: Locale, matter: Matter): Detail[] {
  const { labels } = codeWordsIn(locale)
  return (DETAILS[matter.name] ?? []).flatMap((label) => {
    const value = DETAIL_VALUES[label](matter, locale)
    return value ? [{ label: labels[label], value }] : []
  })
}

const inline = (locale: Locale, text: string | null) => text && inlineIn(locale, text)
const moment = (locale: Locale, at: Timestamp | null) => at && momentIn(locale, at)

const DETAIL_VALUES: Record<Label, (matter: Matter, locale: Locale) => string | null> = {
  amount: ({ money }, locale) => money && amountIn(locale, money),
  purpose: ({ purpose }, locale) => purpose && codeWordsIn(locale).purposes[purpose],
  listing: ({ listing }, locale) => inline(locale, listing),
  payee: ({ person }, locale) => inline(locale, person),
  payer: ({ person }, locale) => inline(locale, person),
  at: ({ at }, locale) => moment(locale, at),
  until: ({ until }, locale) => moment(locale, until),
  dueAt: ({ dueAt }, locale) => moment(locale, dueAt),
  browser: ({ browser }, locale) => inline(locale, browser),
  network: ({ network }, locale) => inline(locale, network),
}

function reasonsIn(locale: Locale, { name, reasons }: Matter): string[] {
  const kind = REASONS[name]
  if (!kind) return []
  const words: Readonly<Record<string, string>> = codeWordsIn(locale)[kind]
  const { other = '' } = words
  return reasons.map((code) => words[code] ?? other)
}

/** A page's address with the id added to whatever query it has. */
function about(page: string, id: string): string {
  const address = new URL(page)
  address.searchParams.set('id', id)
  return address.href
}
