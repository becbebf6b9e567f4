import { describe, expect, it } from 'vitest'
import { contactParts } from '#lib/console/browser/parts/contact-details'
import { wordDifferences } from '#lib/console/browser/parts/word-differences'

/** A comparison as one text each, with what is not shared in brackets. */
function compared(before: string, after: string): [string, string] {
  const pieces = wordDifferences(before, after)
  const text = (side: 'before' | 'after') =>
    pieces[side].map(({ text: own, isOwn }) => (isOwn ? `[${own}]` : own)).join('')
  return [text('before'), text('after')]
}

const contactsIn = (text: string): string[] =>
  contactParts(text).flatMap(({ text: part, isContact }) => (isContact ? [part] : []))

describe('wordDifferences', () => {
  it.each([
    ['a word that changed', 'a large terrace', 'a small terrace', 'a [large] terrace', 'a [small] terrace'],
    ['words that came', 'near the sea', 'near the deep blue sea', 'near the sea', 'near the [deep blue ]sea'],
    ['words that went', 'one, two, three', 'one, three', 'one, [two, ]three', 'one, three'],
    ['neighbours that changed', 'the old house', 'the new flat', 'the [old house]', 'the [new flat]'],
    ['Arabic', 'شقة قرب الجامعة', 'شقة قرب السوق', 'شقة قرب [الجامعة]', 'شقة قرب [السوق]'],
    ['a whole text', '', 'all of it', '', '[all of it]'],
    ['nothing', 'the same', 'the same', 'the same', 'the same'],
  ])('marks %s and nothing else', (_, before, after, old, young) => {
    expect(compared(before, after)).toEqual([old, young])
  })

  it('gives both texts back whole, also where they are too long to be compared', () => {
    const [before, after] = [`a ${'b c '.repeat(4_000)}`, `x ${'c d '.repeat(4_000)}`]
    const pieces = wordDifferences(before, after)
    expect(pieces.before.map(({ text }) => text).join('')).toBe(before)
    expect(pieces.after.map(({ text }) => text).join('')).toBe(after)
  })
})

describe('contactParts', () => {
  it.each([
    ['write to ama.k+1@mail.example.com.', ['ama.k+1@mail.example.com']],
    ['call +225 07 07 12 34 56 or 77 123 45 67', ['+225 07 07 12 34 56', '77 123 45 67']],
    ['اتصل على ٠٥٥١٢٣٤٥٦٧', ['٠٥٥١٢٣٤٥٦٧']],
    ['see www.villa.example/a and https://x.example.', ['www.villa.example/a', 'https://x.example']],
    ['wa.me/2250707123456, @villa_abidjan', ['wa.me/2250707123456', '@villa_abidjan']],
    ['450 000 XOF, 12 500 000 XOF, 140 m², built in 2019, 3 bedrooms', []],
    ['', []],
  ])('finds in %j the ways to reach somebody, and no sum', (text, contacts) => {
    expect(contactsIn(text)).toEqual(contacts)
    expect(
      contactParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })
})
