import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  derivedId,
  fingerprintOf,
  idAfter,
  idMaker,
  kindOfId,
  ListingId,
  lastIdBefore,
  MessageId,
  newId,
  PaymentId,
  timeOfId,
  UserId,
} from '#lib/kernel/id'

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

  it('an id that must follow another of an earlier moment is of its own', () => {
    const next = idAfter(at(2_000), 'message', at(1_000)('message'))
    expect(timeOfId(next)).toBe(2_000)
    expect(timeOfId(idAfter(at(1_000), 'message', at(2_000)('message')))).toBe(2_001)
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

  it('is known by its kind, and a text of another shape by none', () => {
    expect(kindOfId(newId('paymentRequest'))).toBe('paymentRequest')
    expect(kindOfId('xyz_01KAH3M6XQ8ZJ4T2V7W9C5RBND')).toBeUndefined()
    expect(kindOfId('usr_01KAH3M6XQ8ZJ4T2V7W9C5RBN')).toBeUndefined()
    expect(kindOfId('')).toBeUndefined()
  })

  it('holds the millisecond of its making', () => {
    expect(timeOfId(at(1_700_000_000_123)('user'))).toBe(1_700_000_000_123)
  })

  it('of before a moment sorts after every older one and before every one of that moment', () => {
    const last = lastIdBefore('event', new Date(1_000))
    expect(last > at(999)('event')).toBe(true)
    expect(last < at(1_000)('event')).toBe(true)
    expect(last).toMatch(/^evt_.{10}Z{16}$/)
    expect(timeOfId(lastIdBefore('event', new Date(0)))).toBe(0)
  })

  it('derived from another is as old, and for the same thing always ends alike', () => {
    const [one, other] = [at(1_000)('listing'), at(2_000)('listing')]
    const derived = derivedId('payment', one, ['stripe', 'acct_1', 'pi_1'])
    expect(PaymentId.safeParse(derived).success).toBe(true)
    expect(timeOfId(derived)).toBe(1_000)
    expect(derivedId('payment', one, ['stripe', 'acct_1', 'pi_1'])).toBe(derived)
    expect(derivedId('payment', one, ['stripe', 'acct_1', 'pi_2'])).not.toBe(derived)
    expect(derivedId('payment', one, ['stripeacct_1', 'pi_1'])).not.toBe(derived)
    const later = derivedId('payment', other, ['stripe', 'acct_1', 'pi_1'])
    expect(later).not.toBe(derived)
    expect(fingerprintOf(later)).toBe(fingerprintOf(derived))
    expect(fingerprintOf(derived)).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
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
