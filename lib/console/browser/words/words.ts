import { ar } from '#lib/notifications/words/codes/ar'
import { en as reasonsEn } from '#lib/notifications/words/codes/en'
import { es } from '#lib/notifications/words/codes/es'
import { fr as reasonsFr } from '#lib/notifications/words/codes/fr'
import { pt } from '#lib/notifications/words/codes/pt'
import type { Schema } from '../api/schemas.ts'
import { advice as adviceEn } from './en/advice.ts'
import { codes as codesEn } from './en/codes.ts'
import { frame as frameEn } from './en/frame.ts'
import { money as moneyEn } from './en/money.ts'
import { others as othersEn } from './en/others.ts'
import { payouts as payoutsEn } from './en/payouts.ts'
import { queues as queuesEn } from './en/queues.ts'
import { advice as adviceFr } from './fr/advice.ts'
import { codes as codesFr } from './fr/codes.ts'
import { frame as frameFr } from './fr/frame.ts'
import { money as moneyFr } from './fr/money.ts'
import { others as othersFr } from './fr/others.ts'
import { payouts as payoutsFr } from './fr/payouts.ts'
import { queues as queuesFr } from './fr/queues.ts'
import type { Said } from './page-words.ts'

const english = { ...frameEn, ...queuesEn, ...moneyEn, ...payoutsEn, ...othersEn }
const french = { ...frameFr, ...queuesFr, ...moneyFr, ...payoutsFr, ...othersFr }

const isFrench = navigator.languages.find((tag) => /^(en|fr)\b/.test(tag))?.startsWith('fr') ?? false

/** The reader's locale, for dates and numbers: the browser's, where it is English or French; else English. */
export const readerLocale: string =
  navigator.languages.find((tag) => tag.startsWith(isFrench ? 'fr' : 'en')) ?? 'en'

/** The words of the pages, in the reader's language. */
export const words: Said<typeof english> = isFrench ? french : english

/** Words for codes, in the reader's language. */
export const codes = isFrench ? { ...codesFr, ...adviceFr } : { ...codesEn, ...adviceEn }

const REASONS = { en: reasonsEn, fr: reasonsFr, es, pt, ar }

const ownReasons = isFrench ? reasonsFr : reasonsEn

const label = (sentence: string): string => sentence.replace(/\.$/, '')

/** Every reason of a decision on an identity, in the reader's words. */
export const kycReasons: readonly [Schema<'KycReason'>, string][] = labels(ownReasons.identityReasons)

/** Every reason of a moderator, in the reader's words. */
export const moderationReasons: readonly [Schema<'ModerationReason'>, string][] = labels(
  ownReasons.listingReasons,
)

function labels<Code extends string>(sentences: Readonly<Record<Code, string>>): [Code, string][] {
  return (Object.keys(sentences) as Code[]).map((code) => [code, label(sentences[code])])
}

/** A reason of any kind in the reader's words; a code that this page does not know yet stands for itself. */
export const reasonLabel = (code: string): string => {
  const known: Readonly<Record<string, string>> = {
    ...codes.enquiryReason,
    ...ownReasons.listingReasons,
    ...ownReasons.identityReasons,
  }
  return label(known[code] ?? code)
}

/** Ready sentences for reasons, in the language of the person who reads them: the very words of the mail. */
export const identitySentences = (
  locale: Schema<'Locale'>,
  reasons: readonly Schema<'KycReason'>[],
): string => reasons.map((reason) => REASONS[locale].identityReasons[reason]).join(' ')

/** The same for a listing. */
export const listingSentences = (
  locale: Schema<'Locale'>,
  reasons: readonly Schema<'ModerationReason'>[],
): string => reasons.map((reason) => REASONS[locale].listingReasons[reason]).join(' ')
