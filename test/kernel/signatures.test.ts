import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { escapeHtml } from '#lib/kernel/html'
import { makeSecret } from '#lib/kernel/random'
import { hmacOf, isHmacOf, signStandardWebhook } from '#lib/kernel/signatures'
import { newestKey, readToken, signToken } from '#lib/kernel/signed-token'

const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

describe('an HMAC', () => {
  const made = createHmac('sha256', older).update('text').digest()

  it('is of SHA-256', () => {
    expect(hmacOf(older, 'text')).toEqual(made)
  })

  it('is known by any of the keys, whole or cut short', () => {
    expect(isHmacOf([newer, older], 'text', made)).toBe(true)
    expect(isHmacOf([older], 'text', made.subarray(0, 16))).toBe(true)
  })

  it('is not known where it is empty, longer, of another text or of another key', () => {
    expect(isHmacOf([older], 'text', Buffer.alloc(0))).toBe(false)
    expect(isHmacOf([older], 'text', Buffer.concat([made, made]))).toBe(false)
    expect(isHmacOf([older], 'other', made)).toBe(false)
    expect(isHmacOf([newer], 'text', made)).toBe(false)
    expect(isHmacOf([], 'text', made)).toBe(false)
  })
})

describe('a signed token', () => {
  const token = signToken(older, 'unsubscribe', 'usr_1')

  it('gives its name back for its purpose, by any of the keys', () => {
    expect(readToken([newer, older], 'unsubscribe', token)).toBe('usr_1')
    expect(signToken(older, 'unsubscribe', 'usr_1')).toBe(token)
  })

  it.each([
    ['for another purpose', 'confirm', token],
    ['with another name', 'unsubscribe', token.replace('usr_1', 'usr_2')],
    ['without a name', 'unsubscribe', token.slice(token.indexOf('.'))],
    ['cut short', 'unsubscribe', token.slice(0, -1)],
    ['with more behind it', 'unsubscribe', `${token}A`],
    ['that is empty', 'unsubscribe', ''],
  ])('%s is none', (_what, purpose, text) => {
    expect(readToken([older], purpose, text)).toBeUndefined()
  })

  it('has one spelling: unused bits of its last character are not accepted', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spellings = [...letters].map((letter) => token.slice(0, -1) + letter)
    expect(spellings.filter((each) => readToken([older], 'unsubscribe', each) === 'usr_1')).toEqual([token])
  })

  it('is made with the newest key, and without any there is none', async () => {
    expect(await newestKey(async () => [newer, older])).toBe(newer)
    await expect(newestKey(async () => [])).rejects.toThrow('holds no key')
  })
})

describe('a signed webhook', () => {
  it('carries a signature by each secret over its id, time and body', () => {
    const secrets = [`whsec_${older.toString('base64')}`, newer.toString('base64')]
    const signatures = [older, newer].map(
      (key) => `v1,${createHmac('sha256', key).update('msg_1.1700000000.{"a":1}').digest('base64')}`,
    )
    expect(
      signStandardWebhook(secrets, { id: 'msg_1', sentAtSeconds: 1_700_000_000, rawBody: '{"a":1}' }),
    ).toEqual({
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': signatures.join(' '),
    })
  })
})

it('A secret is as many random bytes as were asked for, in base64url', () => {
  expect(Buffer.from(makeSecret(24), 'base64url')).toHaveLength(24)
  expect(makeSecret(24)).toMatch(/^[\w-]{32}$/)
  expect(makeSecret(24)).not.toBe(makeSecret(24))
})

it('Text in HTML is text, whatever it holds', () => {
  expect(escapeHtml(`<a title="it's">&amp;</a>`)).toBe(
    '&lt;a title=&quot;it&#39;s&quot;&gt;&amp;amp;&lt;/a&gt;',
  )
})
