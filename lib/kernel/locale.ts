import * as z from 'zod'

/** The languages in which the service writes to people. */
export const Locale = z.enum(['en', 'fr', 'pt', 'es', 'ar']).meta({ id: 'Locale', example: 'fr' })
export type Locale = z.infer<typeof Locale>

/** Which way a language is written. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')
