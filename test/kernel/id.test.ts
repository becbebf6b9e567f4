import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idAfter, idMaker, ListingId, MessageId, newId, UserId } from '#lib/kernel/id'

const at = (milliseconds: number) => idMaker(() => new Date(milliseconds))

describe('an id', () => {
  it('says what it identifies and is read as nothing else', () => {
    const id = newId('listing')
    expect(ListingId.safeParse(id).success).toBe(true)
    expect(UserId.safeParse(id).success).toBe(false)
  })

  it('sorts by age', () => {
    const moment = fc.integer({ min: 1, max: 2 ** 48 - 1 })
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        fc.pre(one !== other)
        expect(at(one)('user') < at(other)('user')).toBe(one < other)
      }),
    )
  })

  it('an id that must follow another does so whatever the clocks say', () => {
    const moment = fc.integer({ min: 1, max: 2 ** 48 - 2 })
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const last = at(one)('message')
        const next = idAfter(at(other), 'message', last)
        expect(next > last).toBe(true)
        expect(MessageId.safeParse(next).success).toBe(true)
      }),
    )
  })

  it('can stand in an address, in a key and in a file name', () => {
    expect(encodeURIComponent(newId('payment'))).toMatch(/^pay_[0-9A-Z]{26}$/)
  })

  it('cannot be guessed from another of the same moment', () => {
    const make = at(1_000)
    const made = Array.from({ length: 2_000 }, () => make('media').slice(-16))
    expect(new Set(made).size).toBe(made.length)
    for (let place = 0; place < 16; place += 1) {
      const seen = new Set(made.map((random) => random[place]))
      expect(seen.size, `place ${place}`).toBe(32)
    }
  })

  it.each([
    ['', 'nothing'],
    ['usr_', 'a prefix alone'],
    ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBN', 'one character too few'],
    ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBNDD', 'one character too many'],
    ['usr_01kah3m6xq8zj4t2v7w9c5rbnd', 'small letters'],
    ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBNI', 'a letter that is not in the alphabet'],
    ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND\n', 'a line break behind it'],
    [' usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'a space before it'],
    ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBN%44', 'an escape'],
    ['lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'another kind'],
    ['01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'no kind'],
    ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBNＤ', 'a letter of full width'],
    [['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND'], 'a list'],
    [7, 'a number'],
    [null, 'null'],
  ])('of a user is not %j: %s', (value: unknown, _what) => {
    expect(UserId.safeParse(value).success).toBe(false)
  })
})
