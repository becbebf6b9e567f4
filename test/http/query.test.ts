import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoint } from '#lib/http/endpoint'
import { answersJson, content } from '#lib/http/reply'
import type { Spec } from '#lib/http/spec'
import { queryList } from '#lib/kernel/query-list'
import { queryNumber } from '#lib/kernel/query-number'
import { queryPhone, queryText } from '#lib/kernel/query-text'
import { type Call, call } from '#test/support/call'
import { endpointSpecs } from '#test/support/function-modules'
import { anAgent, consoleToken } from '#test/support/given'

const Query = z.object({
  name: z.string().optional(),
  colour: z.enum(['red', 'blue']).optional(),
  size: queryNumber(z.number().max(9).optional()),
  status: queryList(z.enum(['A', 'B', 'C']), 2),
  phone: queryPhone(z.string().optional()),
  q: queryText(z.string().optional()),
})

const { spec } = endpoint({
  route: 'GET /things',
  summary: 'Things',
  access: 'public',
  input: { query: Query },
  output: { 200: z.object({ query: z.record(z.string(), z.unknown()) }) },
  deps: {},
  run: ({ query }) => ({ query }),
})

const ask = (query: NonNullable<Call['query']>, of: Spec = spec) => call(of, { query })
const found = async (query: NonNullable<Call['query']>) => (await ask(query)).body

describe('a parameter that is repeated', () => {
  it('is a list of its values, each once, in the order sent', async () => {
    expect(await found({ status: ['B', 'A', 'B'] })).toEqual({ query: { status: ['B', 'A'] } })
    expect(await found({ status: 'A' })).toEqual({ query: { status: ['A'] } })
    expect(await found({})).toEqual({ query: {} })
  })

  it('is not split at its commas, which belong to the value', async () => {
    expect(await found({ name: 'a,b' })).toEqual({ query: { name: 'a,b' } })
    expect(await ask({ status: 'A,B' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'status[0]', message: 'must be one of A, B, C' }] },
    })
  })

  it('has at most as many values as it may', async () => {
    expect(await ask({ status: ['A', 'B', 'C'] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'status', code: 'too_big' }] },
    })
  })

  it.each([
    ['a text', 'name', ['a', 'a']],
    ['one of several values', 'colour', ['red', 'blue']],
    ['a number', 'size', ['1', '2']],
  ])('is refused where it takes %s', async (_what, name, values) => {
    expect(await ask({ [name]: values })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: name, message: 'must be given once' }] },
    })
  })
})

describe('a parameter that is not known', () => {
  it('is refused with those that are, beside whatever else is wrong', async () => {
    expect(await ask({ utm_source: 'mail', size: '12', _: '1732000000' })).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        errors: [
          {
            path: 'utm_source',
            code: 'unrecognized',
            message: 'is not known here; known are name, colour, size, status, phone, q',
          },
          { path: '_', code: 'unrecognized' },
          { path: 'size', code: 'too_big' },
        ],
      },
    })
  })

  it('is told by its name alone: a value may be a secret', async () => {
    const { text } = await ask({ token: 'SECRET' })
    expect(text).toContain('token')
    expect(text).not.toContain('SECRET')
  })

  it('named as every object’s own property is refused too', async () => {
    expect(await ask({ constructor: 'x', toString: 'y', ['__proto__']: 'z' })).toMatchObject({ status: 400 })
  })

  // A filter that is silently dropped answers with the wrong people.
  it('is refused by every GET that answers JSON', async () => {
    const [person, administrator] = [(await anAgent()).token, await consoleToken()]
    for (const of of await endpointSpecs()) {
      if (!of.route.startsWith('GET ') || of.input?.params || !answersJson(of.output)) continue
      const request = {
        query: { utm_source: 'mail' },
        token: of.access.security.includes('console') ? administrator : person,
      }
      const { status } = await call(of, request)
      expect({ route: of.route, status }).toEqual({ route: of.route, status: 400 })
    }
  })

  it('is ignored by a page, and by what is not asked for with GET', async () => {
    const page = endpoint({
      route: 'GET /page',
      summary: 'A page',
      access: 'public',
      output: { 200: content('text/html; charset=utf-8') },
      deps: {},
      run: () => '<!doctype html><p>Hello',
    }).spec
    const act = endpoint({
      route: 'POST /act',
      summary: 'Acts',
      access: 'public',
      output: { 204: null },
      deps: {},
      run: async () => {},
    }).spec
    expect(await ask({ utm_source: 'mail' }, page)).toMatchObject({
      status: 200,
      text: '<!doctype html><p>Hello',
    })
    expect(await ask({ utm_source: 'mail' }, act)).toMatchObject({ status: 204 })
  })
})

describe('a telephone number in a query', () => {
  it.each([
    ['its plus escaped', '+2250701020304'],
    ['its plus read as a space', ' 2250701020304'],
    ['spaces, dots and hyphens in it', '+225 07.01-02 03 04'],
  ])('is found with %s', async (_what, given) => {
    expect(await found({ phone: given, q: given })).toEqual({
      query: { phone: '+2250701020304', q: '+2250701020304' },
    })
  })

  it('is told from other text that is looked for', async () => {
    for (const q of ['awa.kone-traore@example.com', 'Awa-Marie K. Traoré', 'pay_01KAH3M6XQ8ZJ4T2V7W9C5RBND'])
      expect(await found({ q })).toEqual({ query: { q } })
  })
})
