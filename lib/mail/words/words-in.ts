import type { Locale } from '#lib/kernel/locale'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import type { MailWords } from './words.ts'

const WORDS: Readonly<Record<Locale, MailWords>> = { en, fr, pt, es, ar }

export const mailWordsIn = (locale: Locale): MailWords => WORDS[locale]
