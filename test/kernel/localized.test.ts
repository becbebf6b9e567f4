import { describe, expect, it } from 'vitest'
import type { Timestamp } from '#lib/kernel/clock'
import { amountIn, durationIn, inlineIn, momentIn, numberIn } from '#lib/kernel/localized'

/** `Intl` separates with several kinds of blanks. */
const plain = (text: string) => text.replace(/\s/gu, ' ')

describe('what people read', () => {
  it('an amount has as many decimals as its currency, with the currency named', () => {
    expect(plain(amountIn('en', { amount: 125_050, currency: 'USD' }))).toBe('$1,250.50')
    expect(plain(amountIn('fr', { amount: 125_000, currency: 'EUR' }))).toBe('1 250,00 €')
    expect(plain(amountIn('en', { amount: 1_500, currency: 'JPY' }))).toBe('¥1,500')
    expect(plain(amountIn('en', { amount: 1_234_567, currency: 'KWD' }))).toBe('KWD 1,234.567')
    expect(plain(amountIn('en', { amount: 12_345, currency: 'HUF' }))).toBe('HUF 123.45')
  })

  it('a number has the separators of the language', () => {
    expect(numberIn('en', 12_345)).toBe('12,345')
    expect(plain(numberIn('fr', 12_345))).toBe('12 345')
  })

  it('a moment is in UTC, with its zone, month and minutes written out', () => {
    const moment = '2026-11-02T07:05:00.000Z' as Timestamp
    expect(plain(momentIn('en', moment))).toBe('November 2, 2026 at 7:05 AM UTC')
    expect(plain(momentIn('fr', moment))).toBe('2 novembre 2026 à 07:05 UTC')
  })

  it.each([
    [1_800, '30 minutes'],
    [7_199 - 59, '119 minutes'],
    [7_200, '2 hours'],
    [172_800, '48 hours'],
  ])('a duration of %i s is %s', (seconds, text) => {
    expect(durationIn('en', seconds)).toBe(text)
  })

  it('a duration is written in the language of its reader', () => {
    expect(plain(durationIn('fr', 3_600))).toBe('60 minutes')
    expect(plain(durationIn('pt', 10_800))).toBe('3 horas')
  })
})

describe('a stranger’s text in a sentence', () => {
  it('is one line without blanks around it', () => {
    expect(inlineIn('en', '  Villa\n\t by  the sea ')).toBe('Villa by the sea')
  })

  it('loses controls of the direction of writing', () => {
    expect(inlineIn('en', '\u202eVilla\u2066 \u200fFann\u061c')).toBe('Villa Fann')
  })

  it('is isolated where it is written from right to left, and in a language that is', () => {
    expect(inlineIn('en', 'فيلا')).toBe('\u2068فيلا\u2069')
    expect(inlineIn('ar', 'Villa')).toBe('\u2068Villa\u2069')
    expect(inlineIn('en', 'Villa')).toBe('Villa')
  })
})
