import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { cursorsWith } from '#lib/dynamo/cursor'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
const name = fc.string({ unit: fc.constantFrom(...'ab"[],#') })
const filters = fc.dictionary(fc.constantFrom('status', 'city', 'sort'), fc.string())
const position = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc.integer(),
  fc.array(fc.string()),
)
const Anything = z.unknown()

describe('a cursor', () => {
  it('leads back to where it was made, under any of the live keys', () => {
    fc.assert(
      fc.property(key, key, name, filters, position, (old, fresh, list, chosen, at) => {
        const cursor = cursorsWith([old]).seal(list, chosen, at)
        expect(cursorsWith([fresh, old]).open(list, chosen, cursor, Anything)).toEqual(at)
        expect(encodeURIComponent(cursor)).toBe(cursor)
      }),
    )
  })

  it('leads nowhere in another list, with other filters or under another key', () => {
    const { seal, open } = cursorsWith([Buffer.alloc(32, 1)])
    fc.assert(
      fc.property(name, name, filters, filters, position, (list, otherList, chosen, others, at) => {
        const cursor = seal(list, chosen, at)
        const refused = { code: 'invalid_cursor' }
        if (list !== otherList)
          expect(() => open(otherList, chosen, cursor, Anything)).toThrow(expect.objectContaining(refused))
        if (JSON.stringify(chosen) !== JSON.stringify(others)) {
          expect(() => open(list, others, cursor, Anything)).toThrow(expect.objectContaining(refused))
        }
        const strangers = cursorsWith([Buffer.alloc(32, 2)])
        expect(() => strangers.open(list, chosen, cursor, Anything)).toThrow(expect.objectContaining(refused))
      }),
    )
  })

  // Attack: a position made up by hand, to read what is listed elsewhere.
  it('is refused with any of its characters changed, left out or added', () => {
    const { seal, open } = cursorsWith([Buffer.alloc(32, 1)])
    fc.assert(
      fc.property(
        position,
        fc.nat(),
        fc.constantFrom(...'09AZaz-_=+/ .'),
        fc.boolean(),
        (at, place, sign, isAdded) => {
          const cursor = seal('list', {}, at)
          const index = place % cursor.length
          const other = cursor.slice(0, index) + sign + cursor.slice(isAdded ? index : index + 1)
          fc.pre(other !== cursor)
          expect(() => open('list', {}, other, Anything)).toThrow(
            expect.objectContaining({ code: 'invalid_cursor' }),
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    '',
    'x',
    '=',
    'null',
    '[]',
    'AAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '🏠',
    '\u0000',
  ])('is not %j', (cursor) => {
    const { open } = cursorsWith([Buffer.alloc(32, 1)])
    expect(() => open('list', {}, cursor, Anything)).toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }),
    )
  })

  it('a missing cursor is the beginning', () => {
    expect(cursorsWith([Buffer.alloc(32, 1)]).open('list', {}, undefined, Anything)).toBeUndefined()
  })

  it('says nothing of the filters it is bound to', () => {
    const cursor = cursorsWith([Buffer.alloc(32, 1)]).seal('list', { email: 'awa@example.com' }, 'usr_1')
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('awa')
  })
})
