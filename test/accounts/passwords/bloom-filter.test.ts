import { dictionary } from '@zxcvbn-ts/language-common'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeFilter, openFilter } from '#lib/accounts/passwords/bloom-filter'
import { commonPasswords } from '#lib/accounts/passwords/common-passwords.derived'

const BYTES_AN_ENTRY = 3

describe('the filter of words', () => {
  it('has every word that was put in', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (words) => {
        expect(words.filter((word) => !openFilter(makeFilter(words))(word))).toEqual([])
      }),
    )
  })

  it('takes hardly any other word for one of them', () => {
    const words = Array.from({ length: 2_000 }, (_, index) => `in-${index}`)
    const others = Array.from({ length: 20_000 }, (_, index) => `out-${index}`)
    expect(others.filter(openFilter(makeFilter(words))).length).toBeLessThan(5)
  })

  it('takes three bytes an entry, of a bundle that holds a hundred thousand', () => {
    const words = Array.from({ length: 1_000 }, (_, index) => `in-${index}`)
    expect(Buffer.from(makeFilter(words), 'base64')).toHaveLength(1_000 * BYTES_AN_ENTRY)
  })

  it('has nothing when nothing was put in', () => {
    expect(openFilter(makeFilter([]))('word')).toBe(false)
  })
})

describe('the list of common passwords', () => {
  it('holds tens of thousands, and knows passwords that leaked', async () => {
    const filter = await commonPasswords()
    expect(Buffer.from(filter, 'base64').length / BYTES_AN_ENTRY).toBeGreaterThan(60_000)
    const isCommon = openFilter(filter)
    expect(['qazwsxedc123', '123qweasdzxc', 'sonyericsson'].filter((word) => !isCommon(word))).toEqual([])
  })

  it('knows every one of them from six characters', async () => {
    const isCommon = openFilter(await commonPasswords())
    const known = dictionary['passwords-common'].map(String).filter(({ length }) => length >= 6)
    expect(known.length).toBeGreaterThan(30_000)
    expect(known.filter((word) => !isCommon(word))).toEqual([])
  })
})
