import type { Locale } from '#lib/kernel/locale'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import type { PageWords } from './words.ts'

const WORDS: Readonly<Record<Locale, PageWords>> = { en, fr, pt, es, ar }

/** Returns the words of customers' pages in a language. */
export const pageWordsIn = (locale: Locale): PageWords => WORDS[locale]
