import { ar } from '#lib/notifications/words/codes/ar'
import { en as reasonsEn } from '#lib/notifications/words/codes/en'
import { es } from '#lib/notifications/words/codes/es'
import { fr as reasonsFr } from '#lib/notifications/words/codes/fr'
import { pt } from '#lib/notifications/words/codes/pt'
import type { Schema } from '../api/schemas.ts'
import { advice as adviceEn } from './en/advice.ts'
import { codes as codesEn } from './en/codes.ts'
import { frame as frameEn } from './en/frame.ts'
import { happenings as happeningsEn } from './en/happenings.ts'
import { money as moneyEn } from './en/money.ts'
import { others as othersEn } from './en/others.ts'
import { payouts as payoutsEn } from './en/payouts.ts'
import { queues as queuesEn } from './en/queues.ts'
import { advice as adviceFr } from './fr/advice.ts'
import { codes as codesFr } from './fr/codes.ts'
import { frame as frameFr } from './fr/frame.ts'
import { happenings as happeningsFr } from './fr/happenings.ts'
import { money as moneyFr } from './fr/money.ts'
import { others as othersFr } from './fr/others.ts'
import { payouts as payoutsFr } from './fr/payouts.ts'
import { queues as queuesFr } from './fr/queues.ts'
import type { TextsLike } from './page-words.ts'

const english = { ...frameEn, ...queuesEn, ...moneyEn, ...payoutsEn, ...othersEn }
const french = { ...frameFr, ...queuesFr, ...moneyFr, ...payoutsFr, ...othersFr }

const isFrench = navigator.languages.find((tag) => /^(en|fr)\b/.test(tag))?.startsWith('fr') ?? false

/** Whether `Intl` takes a tag: a browser may name a locale of its system, such as `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The reader's locale, for dates and numbers: the first English or French one of the browser, such as `en-GB`. */
export const readerLocale: string =
  navigator.languages.find((tag) => tag.startsWith(isFrench ? 'fr' : 'en') && isLocale(tag)) ??
  (isFrench ? 'fr' : 'en')

/** The words of the pages, in the reader's language. */
export const words: TextsLike<typeof english> = isFrench ? french : english

/** Words for codes, in the reader's language. */
export const codes = isFrench
  ? { ...codesFr, ...adviceFr, ...happeningsFr }
  : { ...codesEn, ...adviceEn, ...happeningsEn }

const REASONS = { en: reasonsEn, fr: reasonsFr, es, pt, ar }

const ownReasons = isFrench ? reasonsFr : reasonsEn

const label = (sentence: string): string => sentence.replace(/\.$/, '')

/** Every reason of a decision on an identity, in the reader's words. */
export const kycReasons: readonly [Schema<'KycReason'>, string][] = labels(ownReasons.identityReasons)

/** Every reason of a moderator, in the reader's words. */
export const moderationReasons: readonly [Schema<'ModerationReason'>, string][] = labels(
  ownReasons.listingReasons,
)

/** Whether a code is a reason of a moderator. */
export const isModerationReason = (code: string): code is Schema<'ModerationReason'> =>
  code in ownReasons.listingReasons

function labels<Code extends string>(sentences: Readonly<Record<Code, string>>): [Code, string][] {
  return (Object.keys(sentences) as Code[]).map((code) => [code, label(sentences[code])])
}

/** The subject of a reason: a decision on an identity or a listing, or a report of a listing or an enquiry. */
export type ReasonAbout = 'identity' | 'listing' | 'report' | 'enquiry'

const REASON_WORDS: Readonly<Record<ReasonAbout, Readonly<Record<string, string>>>> = {
  identity: ownReasons.identityReasons,
  listing: ownReasons.listingReasons,
  report: codes.reportReason,
  enquiry: codes.enquiryReason,
}

/** Returns a reason in the reader's words, by its subject; an unknown code stays as it is. */
export const reasonLabel = (about: ReasonAbout, code: string): string =>
  label(REASON_WORDS[about][code] ?? code)

/** Ready sentences for the reasons of a decision on an identity: the words of the mail, in the language of its reader. */
export const identitySentences = (
  locale: Schema<'Locale'>,
  reasons: readonly Schema<'KycReason'>[],
): string => reasons.map((reason) => REASONS[locale].identityReasons[reason]).join(' ')

/** Ready sentences for the reasons of a decision on a listing, likewise in the words of the mail. */
export const listingSentences = (
  locale: Schema<'Locale'>,
  reasons: readonly Schema<'ModerationReason'>[],
): string => reasons.map((reason) => REASONS[locale].listingReasons[reason]).join(' ')
