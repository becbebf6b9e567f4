import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AMOUNT_LIMIT,
  Currency,
  exponentOf,
  Money,
  rescale,
  toDecimalText,
  toMinorUnits,
} from '#lib/kernel/money'

const amounts = fc.integer({ min: 0, max: AMOUNT_LIMIT })
const exponents = fc.integer({ min: 0, max: 4 })

describe('the exponent table', () => {
  it('follows ISO 4217 where Intl follows habit', () => {
    const exponentsOf = (codes: string[]) => codes.map((code) => exponentOf(Currency.parse(code)))
    expect(exponentsOf(['HUF', 'IDR', 'IQD', 'MGA'])).toEqual([2, 2, 3, 2])
    expect(exponentsOf(['XOF', 'XAF', 'JPY', 'UGX', 'RWF', 'CLP', 'ISK', 'KRW', 'VND'])).toEqual(
      Array(9).fill(0),
    )
    expect(exponentsOf(['KWD', 'TND', 'BHD', 'JOD', 'OMR', 'LYD'])).toEqual(Array(6).fill(3))
    expect(exponentsOf(['USD', 'EUR', 'NGN', 'KES', 'TWD', 'CDF'])).toEqual(Array(6).fill(2))
  })

  it('names every currency once', () => {
    expect(new Set(Currency.options).size).toBe(Currency.options.length)
    expect(Currency.options.length).toBeGreaterThan(160)
  })
})

describe('money', () => {
  it.each([0, -1, 1.5, AMOUNT_LIMIT + 1, '150', Number.NaN, null])('refuses %s as an amount', (amount) => {
    expect(Money.safeParse({ amount, currency: 'XOF' }).success).toBe(false)
  })

  it.each(['xof', 'ABC', 'EURO', '', 'XXX'])('refuses %s as a currency', (currency) => {
    expect(Money.safeParse({ amount: 1, currency }).success).toBe(false)
  })
})

describe('decimal text', () => {
  it('is read up to the largest amount, and no further', () => {
    expect(toMinorUnits(String(AMOUNT_LIMIT), 0)).toBe(AMOUNT_LIMIT)
    expect(toMinorUnits(String(AMOUNT_LIMIT + 1), 0)).toBeUndefined()
  })

  it('comes back as the amount it was made of', () => {
    fc.assert(
      fc.property(amounts, exponents, (amount, exponent) => {
        expect(toMinorUnits(toDecimalText(amount, exponent), exponent)).toBe(amount)
      }),
    )
  })

  it('means the same whatever the superfluous zeros', () => {
    fc.assert(
      fc.property(amounts, exponents, fc.integer({ min: 1, max: 6 }), (amount, exponent, zeros) => {
        const text = toDecimalText(amount, exponent)
        expect(toMinorUnits(`${text}${exponent === 0 ? '.' : ''}${'0'.repeat(zeros)}`, exponent)).toBe(amount)
      }),
    )
  })

  it('is exact where floats are not', () => {
    expect(toMinorUnits('4.35', 2)).toBe(435)
    expect(toMinorUnits('1255.10', 2)).toBe(125_510)
    expect(toMinorUnits('8.2', 3)).toBe(8_200)
    expect(toDecimalText(5, 2)).toBe('0.05')
    expect(toDecimalText(1500, 0)).toBe('1500')
  })

  it.each(['', '.5', '5.', '1e3', '-1', '+1', '1,5', ' 1', '1.005', '0x10', 'NaN', '1000000000000001'])(
    'is refused when it reads %j',
    (text) => {
      expect(toMinorUnits(text, 2)).toBeUndefined()
    },
  )
})

describe('rescaling', () => {
  it('loses nothing on the way to more decimals and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 11 }), exponents, exponents, (amount, one, other) => {
        const [few, many] = one < other ? [one, other] : [other, one]
        const there = rescale(amount, few, many)
        expect(there).toBeDefined()
        expect(rescale(there ?? -1, many, few)).toBe(amount)
      }),
    )
  })

  it('refuses a fraction of a minor unit', () => {
    expect(rescale(150_000, 2, 0)).toBe(1500)
    expect(rescale(150_050, 2, 0)).toBeUndefined()
  })
})
