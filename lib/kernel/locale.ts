import * as z from 'zod'

/** The languages in which the service writes to people. */
export const Locale = z.enum(['en', 'fr', 'pt', 'es', 'ar']).meta({ id: 'Locale', example: 'fr' })
export type Locale = z.infer<typeof Locale>

/** Returns the direction in which a language is written. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/**
 * Returns the language that best matches an `Accept-Language` field, by its quality values; English without a match. A
 * region is ignored: `es-419` and `es_MX` are `es`. The wildcard `*` means English.
 */
export function localeFor(acceptLanguage: string | null): Locale {
  const field = (acceptLanguage ?? '').toLowerCase()
  const ranges = field.split(',').map((range) => {
    const [tag = '', ...parameters] = range.trim().split(/\s*;\s*/)
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { language: tag.split(/[-_]/)[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) }
  })
  const wanted = ranges
    .filter(({ quality }) => quality > 0 && quality <= 1)
    // Sorting is stable: of languages with equal quality the first that was named comes first.
    .sort((one, other) => other.quality - one.quality)
    .map(({ language }) => (language === '*' ? 'en' : language))
  return wanted.map((language) => Locale.safeParse(language).data).find((locale) => locale) ?? 'en'
}
