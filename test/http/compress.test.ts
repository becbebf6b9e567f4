import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { spec as login } from '#functions/accounts/sessions/login'
import { callback } from '#lib/http/callback'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { serve } from '#lib/http/serve'
import { codingFor } from '#lib/http/stack/compress'
import { call, httpEvent } from '#test/support/call'
import { aUser, PASSWORD } from '#test/support/given'
import { LAMBDA_CONTEXT } from '#test/support/lambda-context'

const LONG = 'A house by the lagoon. '.repeat(100)

const { spec } = endpoint({
  route: 'GET /things/{length}',
  summary: 'A text of some length',
  access: 'public',
  input: { params: { length: z.coerce.number() } },
  output: { 200: versioned(z.object({ text: z.string() })) },
  honours: 'If-None-Match',
  deps: {},
  run: ({ params }) => ({ view: { text: LONG.slice(0, params.length) }, version: 7 }),
})

const raw = (encoding: string | undefined, length = 2_000, more: Record<string, string> = {}) =>
  serve(spec)(
    httpEvent('GET /things/{length}', {
      params: { length: String(length) },
      headers: { 'accept-encoding': encoding, ...more },
    }),
    LAMBDA_CONTEXT,
  )

describe('an answer over 1 KiB', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('is sent as %s to who takes %s, and is the same when unpacked', async (coding, accepted, unpack) => {
    const { headers, body = '', isBase64Encoded } = await raw(accepted)
    expect(isBase64Encoded).toBe(true)
    expect(headers).toMatchObject({
      'content-encoding': coding,
      'content-type': 'application/json',
      vary: 'Origin, Accept-Encoding',
    })
    expect(JSON.parse(unpack(Buffer.from(body, 'base64')).toString())).toEqual({ text: LONG.slice(0, 2_000) })
    expect(body.length).toBeLessThan(1_000)
  })

  it('has the same ETag in every coding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', undefined].map(async (coding) => (await raw(coding)).headers?.['etag']),
    )
    expect(tags).toEqual(['"7"', '"7"', '"7"'])
  })

  it('is sent plain to who takes no coding, and says that it depends', async () => {
    const { headers, body, isBase64Encoded } = await raw(undefined)
    expect({ isBase64Encoded, body }).toEqual({
      isBase64Encoded: undefined,
      body: expect.stringMatching(/^\{/),
    })
    expect(headers).toMatchObject({ vary: 'Origin, Accept-Encoding' })
    expect(headers).not.toHaveProperty('content-encoding')
  })

  it('is compressed where it is a problem too', async () => {
    const query = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`unknown_${index}`, '1']))
    const event = httpEvent('GET /things/{length}', {
      params: { length: '1' },
      query,
      headers: { 'accept-encoding': 'br' },
    })
    const { statusCode, headers } = await serve(spec)(event, LAMBDA_CONTEXT)
    expect({ statusCode, coding: headers?.['content-encoding'] }).toEqual({ statusCode: 400, coding: 'br' })
  })
})

describe('an answer that stays as it is', () => {
  it('has no more than 1 KiB', async () => {
    const { headers, isBase64Encoded } = await raw('br', 900)
    expect(isBase64Encoded).toBeUndefined()
    expect(headers).toMatchObject({ vary: 'Origin' })
  })

  it('is a 304, which has no body', async () => {
    const { statusCode, headers, body } = await raw('br', 2_000, { 'if-none-match': 'W/"7"' })
    expect({ statusCode, body, coding: headers?.['content-encoding'] }).toEqual({ statusCode: 304 })
  })

  // Attack: beside text of the attacker's own choice, the length of a compressed answer tells of the secret in it.
  it('carries a token', async () => {
    const { email } = await aUser()
    const request = { body: { email, password: PASSWORD }, headers: { 'accept-encoding': 'br, gzip' } }
    const { status, headers, body } = await call(login, request)
    expect({ status, coding: headers['content-encoding'] }).toEqual({ status: 200, coding: undefined })
    expect(body).toHaveProperty('refreshToken')
    expect(login.isSecret).toBe(true)
  })

  it('is one to a callback', async () => {
    const { spec } = callback({
      routes: ['POST /called/{provider}'],
      summary: 'Called back',
      problems: [],
      deps: {},
      run: async () => ({ status: 200, body: LONG }),
    })
    const answer = await call(spec, { params: { provider: 'x' }, headers: { 'accept-encoding': 'br' } })
    expect(answer).toMatchObject({ status: 200, text: LONG })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })
})

describe('Accept-Encoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0.9, gzip;q=0.9', 'br'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0', undefined],
    ['br;q=0, gzip;q=0.000', undefined],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity, br;q=0.5', undefined],
    ['identity;q=0.5, br', 'br'],
    ['deflate', undefined],
    ['', undefined],
    ['br;q=many', undefined],
    [';;,,=', undefined],
  ])('of %j asks for %s', (field, coding) => {
    expect(codingFor(field)).toBe(coding)
  })
})
