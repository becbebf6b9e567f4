import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameLine, text } from '#lib/kernel/text'

const accepts = (bounds: { min?: number; max: number }, value: string) =>
  text(bounds).safeParse(value).success

const messagesOf = (value: string) =>
  text({ max: 9 })
    .safeParse(value)
    .error?.issues.map(({ code, message }) => `${code}: ${message}`)

describe('a refused text', () => {
  it('says what it must not contain', () => {
    expect(messagesOf('a\u0000b')).toEqual(['custom: must not contain control characters'])
  })
})

describe('a bounded text', () => {
  it('counts code points, as JSON Schema does, and not the units that a script happens to need', () => {
    const units = fc.constantFrom('a', 'é', '語', '🏠', '𝒳')
    fc.assert(
      fc.property(fc.array(units, { maxLength: 60 }), fc.nat(30), fc.nat(30), (characters, min, more) => {
        const isWithin = characters.length >= min && characters.length <= min + more
        expect(accepts({ min, max: min + more }, characters.join(''))).toBe(isWithin)
      }),
    )
  })

  it.each([
    [3, 120, '🏠🏠', false, 'two houses are two characters, though four units'],
    [3, 120, '🏠🏠🏠', true, 'three are three'],
    [3, 6, '🏠'.repeat(6), true, 'six are six, though twelve units'],
    [3, 6, '🏠'.repeat(7), false, 'seven are one too many'],
    [1, 6, '   ', false, 'spaces are nothing'],
    [1, 3, '  abc  ', true, 'spaces around do not count'],
    [1, 6, '', false, 'nothing is nothing'],
  ])('of %i to %i characters: %j is %s: %s', (min, max, value, isAccepted) => {
    expect(accepts({ min, max }, value)).toBe(isAccepted)
  })

  it('says which bound is broken', () => {
    const problem = (value: string) => text({ min: 2, max: 3 }).safeParse(value).error?.issues[0]
    expect(problem('a')).toMatchObject({ code: 'too_small', minimum: 2 })
    expect(problem('abcd')).toMatchObject({ code: 'too_big', maximum: 3 })
  })

  it('has no control characters but tabs and line breaks', () => {
    const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).concat('\u007f')
    const allowed = controls.filter((control) => accepts({ max: 3 }, `a${control}b`))
    expect(allowed).toEqual(['\t', '\n', '\r'])
  })

  it('has no half of a character, which no encoding can carry', () => {
    for (const value of ['a\ud83c', '\udfe0a', '\ud83c\ud83c', 'a\udfe0\ud83cb']) {
      expect(accepts({ max: 9 }, value), JSON.stringify(value)).toBe(false)
    }
  })

  it('comes back as it went in, but for the spaces around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }), (value) => {
        const parsed = text({ max: 500 }).safeParse(value)
        if (parsed.success) expect(parsed.data).toBe(value.trim())
        else expect(value.trim() === '' || /[\p{Cc}]/u.test(value)).toBe(true)
      }),
    )
  })

  it.each([[null], [7], [true], [['a']], [{ length: 3 }], [undefined]])('is not %j', (value) => {
    expect(text({ max: 9 }).safeParse(value).success).toBe(false)
  })
})

describe('a name', () => {
  const accepted = (value: string, needs?: 'letter or digit') =>
    nameLine({ max: 120, ...(needs && { needs }) }).safeParse(value).success

  it.each([
    'Awa Koné',
    '  Awa  ',
    "O'Brien-Smith, Jr.",
    '山田太郎',
    'عبد الرحمن',
    'نیم\u200cفاصله',
    'क्\u200dष',
    'Wwwilma',
    'A: B/C',
    '\u{1F3E0} House',
    'Nguye\u0302\u0303n',
    'ລັ້ນ',
    'ٱللّٰه',
    'བསྒྲིབས',
    `A${'\u0301\u0302\u0e34'.repeat(2)}`,
  ])('%j is accepted', (name) => {
    expect(accepted(name)).toBe(true)
  })

  it.each([
    ['a web address', 'Unlock it now: https://evil.example'],
    ['a web address in capitals', 'see HTTP://EVIL.EXAMPLE'],
    ['www', 'Visit WwW.evil.example'],
    ['www in full-width letters', 'ｗｗｗ．evil.example'],
    ['a line break', 'Awa\nKoné'],
    ['a tab', 'Awa\tKoné'],
    ['a line separator', 'Awa\u2028Koné'],
    ['a next-line control', 'Awa\u0085Koné'],
    ['a direction override', 'Awa\u202eénoK'],
    ['a direction isolate', '\u2066Awa'],
    ['an Arabic letter mark', 'Awa\u061c'],
    ['a zero-width space', 'A\u200bwa'],
    ['a joiner between spaces', 'Awa \u200d Koné'],
    ['a joiner at the end', 'Awa\u200d'],
    ['a soft hyphen', 'A\u00adwa'],
    ['a byte order mark within', 'A\ufeffwa'],
    ['a Hangul filler', 'A\u3164'],
    ['a tag character', 'A\u{e0041}'],
    ['a Braille blank', 'A\u2800'],
    ['digits alone', '12345'],
    ['signs alone', '!!! ***'],
    ['half a character', 'A\ud83c'],
    ['three marks of no script on a letter', 'Ana\u0300\u0301\u0302'],
    ['three marks of no script on a blank', 'Ana \u0300\u0301\u0302'],
    ['three marks for symbols on a letter', 'Ana\u20d0\u20d1\u20d2'],
    ['seven marks of a script on a letter', `Ana${'\u0e34'.repeat(7)}`],
    ['seven marks of several kinds on a letter', 'Ana\u0301\u0e34\u0301\u0301\u0e34\u0301\u0301'],
    ['nothing', ' '],
  ])('with %s is refused', (_, name) => {
    expect(accepted(name)).toBe(false)
  })

  it('an agency’s name may be digits alone, and not signs alone', () => {
    expect([accepted('24/7', 'letter or digit'), accepted('***', 'letter or digit')]).toEqual([true, false])
  })
})
