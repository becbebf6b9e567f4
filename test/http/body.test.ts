import { beforeAll, describe, expect, it } from 'vitest'
import { exampleOf } from '#lib/http/document/example'
import { describeApi } from '#lib/http/document/openapi'
import { answersJson } from '#lib/http/reply'
import { splitRoute } from '#lib/http/route'
import type { Spec } from '#lib/http/spec'
import { type Actor, actorOf } from '#test/support/actors'
import { type Answer, type Call, call, problemOf } from '#test/support/call'
import { steppedUp } from '#test/support/factors'
import { endpointSpecs } from '#test/support/function-modules'
import { anAgent, consoleToken } from '#test/support/given'

/** Whom an agent with a verified e-mail may call as, and only such a one. */
const USERS: (Actor | 'public')[] = ['user', 'agent', 'user with a verified e-mail']

let specs: Spec[]
let agent: string
let administrator: string
let unknownIds: Map<Spec, Record<string, string>>

beforeAll(async () => {
  specs = (await endpointSpecs()).filter(({ input, output }) => input?.body && answersJson(output))
  unknownIds = idsOf(specs)
  agent = await aSteppedUpAgent()
  administrator = await consoleToken()
})

/** A token that opens every route of users: some ask for a step-up. */
const aSteppedUpAgent = async () => steppedUp(await anAgent())

const ID = '01KAH3M6XQ8ZJ4T2V7W9C5RBND'

type Described = {
  paths: Record<string, Record<string, { parameters: { name: string; in: string; schema: object }[] }>>
  components: { schemas: Record<string, unknown> }
}

/** An id of the right shape for every parameter of each route, of something that is not there, by the document. */
function idsOf(described: readonly Spec[]): Map<Spec, Record<string, string>> {
  const functions = described.map((spec) => ({ name: 'tested', noun: 'service', spec }))
  const { paths, components } = describeApi(functions) as Described
  return new Map(
    described.map((spec) => {
      const { method, path } = splitRoute(spec.route)
      const parameters = paths[path]?.[method.toLowerCase()]?.parameters ?? []
      const ids = parameters.flatMap(({ name, in: place, schema }) =>
        place === 'path' ? [[name, String(exampleOf(schema, components.schemas, 'all'))]] : [],
      )
      return [spec, Object.fromEntries(ids)]
    }),
  )
}

function tokenFor(spec: Spec): string | undefined {
  const actor = actorOf(spec)
  if (actor === 'public') return undefined
  return actor === 'administrator' ? administrator : agent
}

const send = (spec: Spec, request: Call) =>
  call(spec, {
    params: unknownIds.get(spec) ?? {},
    token: tokenFor(spec),
    ...request,
  })

/** Sends what may well be carried out: to sign out, for one, takes an empty object and a session of its own. */
const carryOut = async (spec: Spec, request: Call) => {
  const isUsers = USERS.includes(actorOf(spec))
  const isComplete = isUsers && spec.input?.body?.safeParse({}).success
  return send(spec, { ...(isComplete && { token: await aSteppedUpAgent() }), ...request })
}

const json = (rawBody: string | Buffer, type = 'application/json'): Call => ({
  rawBody,
  headers: { 'content-type': type },
})

/** What every endpoint with a body answers to a body. */
async function expectEverywhere(request: Call, status: number, code: string) {
  expect(specs.length).toBeGreaterThanOrEqual(6)
  for (const spec of specs) {
    const answer = await send(spec, request)
    expect({ route: spec.route, status: answer.status, code: problemOf(answer).code }).toEqual({
      route: spec.route,
      status,
      code,
    })
    expect(answer.headers['content-type']).toBe('application/problem+json')
  }
}

describe('400 malformed_json', () => {
  it.each([
    ['half an object', '{'],
    ['an object and more', '{} {}'],
    ['single quotes', "{'a': 1}"],
    ['a comma too many', '{"a": 1,}'],
    ['a comment', '{} // nothing'],
    ['not a number', '{"a": NaN}'],
    ['a raw line break in a text', '{"a": "\n"}'],
    ['a bad escape', '{"a": "\\x41"}'],
    ['a byte order mark within', '{\ufeff}'],
    ['a form', 'a=1&b=2'],
    ['XML', '<a/>'],
    ['a space', ' '],
    ['a zero byte', '\u0000'],
  ])('answers %s', (_what, rawBody) => expectEverywhere(json(rawBody), 400, 'malformed_json'))

  it.each([
    ['__proto__', '{"__proto__": {"isAdmin": true}}'],
    ['__proto__', '{"__proto__": null}'],
    ['__proto__', '{"location": [{"\\u005f_proto__": 1}]}'],
    ['constructor', '{"location": {"constructor": {"prototype": {}}}}'],
  ])('names the key %s, which could change objects, in %s', async (key, rawBody) => {
    await expectEverywhere(json(rawBody), 400, 'malformed_json')
    const [spec] = specs
    expect(spec && problemOf(await send(spec, json(rawBody))).detail).toContain(`"${key}"`)
  })

  it.each([
    ['"constructor" with another value', '{"constructor": {"name": 1}, "a": {"constructor": "prototype"}}'],
    ['"prototype" alone', '{"prototype": {"constructor": 1}}'],
    ['"__proto__" in a text', '{"a": "__proto__"}'],
  ])('does not answer %s', async (_what, rawBody) => {
    for (const spec of specs) {
      const answer = await carryOut(spec, json(rawBody))
      expect(answer.status === 400 && problemOf(answer).code, spec.route).not.toBe('malformed_json')
    }
  })

  it.each([
    ['UTF-16', Buffer.from('{"email": "awa@example.com"}', 'utf16le')],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['a text in Latin-1', Buffer.from('{"name": "Café"}', 'latin1')],
  ])('answers %s', (_what, rawBody) => expectEverywhere(json(rawBody), 400, 'malformed_json'))

  it('repeats no part of the body', async () => {
    const secret = 'a password mistyped into JSON'
    for (const spec of specs) {
      expect((await send(spec, json(`{"password": "${secret}"`))).text).not.toContain('password')
    }
  })
})

describe('400 validation_failed', () => {
  it.each([['[]'], ['"text"'], ['7'], ['0'], ['true'], ['false'], ['null'], ['""'], ['[{}]']])(
    'answers %s, which is no object',
    (rawBody) => expectEverywhere(json(rawBody), 400, 'validation_failed'),
  )

  it('reads ten thousand levels without harm', async () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
    for (const spec of specs) {
      const { status } = await carryOut(spec, json(deep))
      expect(status, spec.route).toBeLessThan(500)
    }
  })

  it('names each fault once and cuts a list of faults that is itself too long', async () => {
    for (const spec of specs) {
      const answer = await carryOut(spec, {
        body: { features: Array(2_000).fill(7), languages: Array(2_000).fill(7) },
      })
      expect(answer.status, spec.route).toBeLessThan(500)
      expect(answer.text.length, spec.route).toBeLessThan(20_000)
      const { errors = [] } = answer.status < 400 ? {} : problemOf(answer)
      expect(errors.length).toBeLessThanOrEqual(100)
    }
  })
})

describe('413 payload_too_large', () => {
  it.each([
    ['JSON', JSON.stringify({ filler: 'x'.repeat(300 * 1024) })],
    ['no JSON at all', 'x'.repeat(300 * 1024)],
    ['many short characters', 'é'.repeat(140 * 1024)],
    ['bytes that the gateway has encoded', Buffer.alloc(300 * 1024)],
  ])('answers a body over 256 KiB: %s', (_what, rawBody) =>
    expectEverywhere(json(rawBody), 413, 'payload_too_large'),
  )

  it('lets 256 KiB in', async () => {
    const filler = JSON.stringify({ filler: '' })
    const full = JSON.stringify({ filler: 'x'.repeat(256 * 1024 - filler.length) })
    expect(full.length).toBe(256 * 1024)
    for (const spec of specs) {
      expect((await carryOut(spec, json(full))).status, spec.route).not.toBe(413)
      expect((await carryOut(spec, json(`${full} `))).status, spec.route).toBe(413)
    }
  })
})

describe('a byte order mark', () => {
  it('may begin a body', async () => {
    for (const spec of specs) {
      const bare = await carryOut(spec, json('{}'))
      expect((await carryOut(spec, json('\ufeff{}'))).status, spec.route).toBe(bare.status)
    }
  })
})

describe('415 unsupported_media_type', () => {
  it('answers a compressed body, and says so', async () => {
    const [spec] = specs
    const packed = { ...json('{}'), headers: { ...json('{}').headers, 'content-encoding': 'gzip' } }
    await expectEverywhere(packed, 415, 'unsupported_media_type')
    expect(spec && problemOf(await send(spec, packed)).detail).toContain('Content-Encoding')
  })

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonx'],
    ['application/javascript'],
    ['text/json'],
    [''],
  ])('answers a body of type %j', (type) => expectEverywhere(json('{}', type), 415, 'unsupported_media_type'))

  it('answers a body without a type', () =>
    expectEverywhere({ rawBody: '{}' }, 415, 'unsupported_media_type'))

  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON;charset=UTF-8'],
    ['application/json \t; charset=utf-8'],
    ['application/merge-patch+json'],
  ])('takes a body of type %j', async (type) => {
    for (const spec of specs) {
      expect((await carryOut(spec, json('{}', type))).status, spec.route).not.toBe(415)
    }
  })
})

describe('a body that is left out', () => {
  it('reads as an empty object: what is missing is named', async () => {
    for (const spec of specs) {
      const without = await carryOut(spec, {})
      const empty = await carryOut(spec, json('{}'))
      const seen = (answer: Answer) => ({
        status: answer.status,
        body: { ...problemOf(answer), requestId: '' },
      })
      if (empty.status >= 400) expect(seen(without), spec.route).toEqual(seen(empty))
    }
  })
})

describe('a path', () => {
  it('an id of a wrong shape answers 404, whatever else is wrong', async () => {
    const withParameters = (await endpointSpecs()).filter(
      ({ input }) => Object.keys(input?.params ?? {}).length > 0,
    )
    expect(withParameters.length).toBeGreaterThanOrEqual(4)
    for (const spec of withParameters) {
      for (const id of [
        'x',
        '%00',
        '../..',
        `usr_${ID}x`,
        ID,
        `LST_${ID}`,
        `lst_${ID.toLowerCase()}`,
        '\u0000',
        '🏠',
        'a'.repeat(2_000),
      ]) {
        const params = Object.fromEntries(Object.keys(spec.input?.params ?? {}).map((name) => [name, id]))
        const { status, body } = await send(spec, { ...json('{'), params })
        expect({ route: spec.route, status, body }, id).toMatchObject({
          route: spec.route,
          status: 404,
          body: { code: 'not_found', detail: 'There is no such resource' },
        })
      }
    }
  })
})
