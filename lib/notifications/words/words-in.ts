import type { Locale } from '#lib/kernel/locale'
import { ar } from './ar.ts'
import { ar as arCodes } from './codes/ar.ts'
import type { CodeWords } from './codes/codes.ts'
import { en as enCodes } from './codes/en.ts'
import { es as esCodes } from './codes/es.ts'
import { fr as frCodes } from './codes/fr.ts'
import { pt as ptCodes } from './codes/pt.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import type { NotificationWords } from './words.ts'

const NOTIFICATIONS: Readonly<Record<Locale, NotificationWords>> = { en, fr, pt, es, ar }
const CODES: Readonly<Record<Locale, CodeWords>> = {
  en: enCodes,
  fr: frCodes,
  pt: ptCodes,
  es: esCodes,
  ar: arCodes,
}

export const notificationWordsIn = (locale: Locale): NotificationWords => NOTIFICATIONS[locale]

export const codeWordsIn = (locale: Locale): CodeWords => CODES[locale]
