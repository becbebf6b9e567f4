import { describe, expect, it } from 'vitest'
import { localeFor } from '#lib/kernel/locale'

describe('the language of a reader', () => {
  it.each([
    ['is English without a header', null, 'en'],
    ['is English for an empty header', '', 'en'],
    ['is the one asked for', 'fr', 'fr'],
    ['leaves out the region', 'es-419', 'es'],
    ['leaves out a region after an underscore', 'fr_FR, en;q=0.5', 'fr'],
    ['is read in any case', 'PT-br', 'pt'],
    ['is the first of several', 'ar, fr', 'ar'],
    ['is the one of the highest quality, wherever it stands', 'fr;q=0.5, pt;q=0.9, es;q=0.8', 'pt'],
    ['has the quality 1 where none is given', 'fr;q=0.9, pt', 'pt'],
    ['is the first named of equal ones', 'pt;q=0.5, fr;q=0.5', 'pt'],
    ['is the next best where the best is unknown', 'de, xx;q=0.9, fr;q=0.1', 'fr'],
    ['is not one of quality 0', 'fr;q=0, pt;q=0.1', 'pt'],
    ['is English where the only one has the quality 0', 'fr;q=0', 'en'],
    ['is not one of a quality over 1', 'fr;q=1.1, pt;q=0.1', 'pt'],
    ['is not one of a quality that is no number', 'fr;q=high, pt;q=0.1', 'pt'],
    ['may have the quality 1', 'pt;q=0.9, fr;q=1', 'fr'],
    ['is read beside parameters of other names', 'fr;level=1;q=0.9, pt;q=0.4', 'fr'],
    ['is English for a star', '*, fr;q=0.9', 'en'],
    ['is read with blanks around its parts', '  fr ; q=0.2 ,  pt ; q=0.4 ', 'pt'],
    ['is English where none is known', 'de, ja;q=0.5', 'en'],
  ])('%s: %j', (_what, header, locale) => {
    expect(localeFor(header)).toBe(locale)
  })
})
