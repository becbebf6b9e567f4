import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRefreshToken, refreshToken } from '#lib/accounts/sessions/refresh-token'
import type { SessionId } from '#lib/kernel/id'
import { signToken } from '#lib/kernel/signed-token'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
const session = fc.stringMatching(/^ses_[0-7][0-9A-HJKMNP-TV-Z]{25}$/).map((id) => id as SessionId)
const generation = fc.integer({ min: 1, max: 2 ** 31 })

describe('a refresh token', () => {
  it('says which session and generation it is of, to whoever has the key, and is the same each time', () => {
    fc.assert(
      fc.property(key, key, session, generation, (one, other, sessionId, count) => {
        const token = refreshToken(one, sessionId, count)
        expect(refreshToken(one, sessionId, count)).toBe(token)
        expect(readRefreshToken([other, one], token)).toEqual({ sessionId, generation: count })
        expect(encodeURIComponent(token)).toBe(token)
      }),
    )
  })

  it('is nothing under another key', () => {
    fc.assert(
      fc.property(key, key, session, generation, (one, other, sessionId, count) => {
        fc.pre(!one.equals(other))
        expect(readRefreshToken([other], refreshToken(one, sessionId, count))).toBeUndefined()
      }),
    )
  })

  it('differs for every session and every generation', () => {
    fc.assert(
      fc.property(key, session, session, generation, generation, (secret, one, other, first, second) => {
        fc.pre(one !== other || first !== second)
        expect(refreshToken(secret, one, first)).not.toBe(refreshToken(secret, other, second))
      }),
    )
  })

  // Attack: the token of a spent generation, made into that of the next one by hand.
  it('is nothing with any of its characters changed, left out or added', () => {
    const change = fc.constantFrom('change', 'drop', 'add')
    fc.assert(
      fc.property(
        key,
        session,
        generation,
        fc.nat(),
        change,
        fc.constantFrom(...'09AZaz-_.='),
        (secret, id, count, at, how, sign) => {
          const token = refreshToken(secret, id, count)
          const place = at % token.length
          const rest = token.slice(how === 'add' ? place : place + 1)
          const other = `${token.slice(0, place)}${how === 'drop' ? '' : sign}${rest}`
          fc.pre(other !== token)
          expect(readRefreshToken([secret], other)).toBeUndefined()
        },
      ),
      { numRuns: 500 },
    )
  })

  it('is not whatever else the same key has signed', () => {
    const secret = Buffer.alloc(32, 1)
    const text = 'rft_01KAH3M6XQ8ZJ4T2V7W9C5RBND.1'
    expect(readRefreshToken([secret], signToken(secret, 'refresh-token', text))).toBeDefined()
    for (const purpose of ['password-reset', 'email-verification', 'refresh-token:', '']) {
      expect(readRefreshToken([secret], signToken(secret, purpose as 'refresh-token', text))).toBeUndefined()
    }
  })

  it('is nothing that anybody makes up', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (token) => {
        expect(readRefreshToken([Buffer.alloc(32, 1)], token)).toBeUndefined()
      }),
    )
    for (const token of ['', '.', '..', '...', 'rft_01KAH3M6XQ8ZJ4T2V7W9C5RBND.1.', 'null', '__proto__']) {
      expect(readRefreshToken([Buffer.alloc(32, 1)], token)).toBeUndefined()
    }
  })
})
