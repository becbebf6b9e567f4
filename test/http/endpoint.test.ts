import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { spec as getAgentProfile } from '#functions/accounts/get-agent-profile'
import { spec as register } from '#functions/accounts/register'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as health } from '#functions/service/health'
import { spec as jwks } from '#functions/service/jwks'
import { dependency } from '#lib/config/config'
import { callback } from '#lib/http/callback'
import { failureCounter, waitingMeasure } from '#lib/http/count'
import { endpoint } from '#lib/http/endpoint'
import { serve } from '#lib/http/serve'
import type { Spec } from '#lib/http/spec'
import { corsHeaders } from '#lib/http/stack/send-headers'
import { DomainError } from '#lib/kernel/domain-error'
import { type Call, call, httpEvent } from '#test/support/call'
import { aUser, PASSWORD } from '#test/support/given'
import { LAMBDA_CONTEXT } from '#test/support/lambda-context'

const Thing = z.object({ name: z.string(), more: z.object({ depth: z.int() }).nullable() })

/** An endpoint that answers whatever a test has it answer. */
const answering = (reply: unknown): Spec => {
  const { spec } = endpoint({
    route: 'GET /things/{id}',
    summary: 'A thing',
    access: 'public',
    input: { params: { id: z.string() } },
    output: { 200: Thing, 204: null },
    deps: {},
    run: () => ({ status: 204 }),
  })
  return { ...spec, run: () => reply }
}

const ask = (spec: Spec, request: Call = {}) => call(spec, { params: { id: '1' }, ...request })

describe('what an endpoint answers', () => {
  // Attack: an attribute that was added to a record one day, and goes out with it unnoticed.
  it('has nothing that is not declared, at whatever depth', async () => {
    const body = { name: 'a', more: { depth: 1, hash: 'SECRET' }, passwordHash: 'SECRET' }
    const answer = await ask(answering({ status: 200, body }))
    expect(answer.body).toEqual({ name: 'a', more: { depth: 1 } })
    expect(answer.text).not.toContain('SECRET')
  })

  it.each([
    ['a field that is missing', { status: 200, body: { name: 'a' } }],
    ['a field of another type', { status: 200, body: { name: 7, more: null } }],
    ['no body', { status: 200 }],
    ['a status that is not declared', { status: 201, body: { name: 'a', more: null } }],
    ['nothing', undefined],
  ])('is a fault of ours when it has %s', async (_what, reply) => {
    expect(await ask(answering(reply))).toMatchObject({ status: 500, body: { code: 'internal' } })
  })

  it('has no body and no type where none is declared', async () => {
    const { status, text, headers } = await ask(answering({ status: 204 }))
    expect({ status, text, type: headers['content-type'] }).toEqual({
      status: 204,
      text: '',
      type: undefined,
    })
  })

  it('is kept by no cache unless it says otherwise', async () => {
    const body = { name: 'a', more: null }
    expect((await ask(answering({ status: 200, body }))).headers['cache-control']).toBe('no-store')
    const kept = { status: 200, body, headers: { 'cache-control': 'public, max-age=60' } }
    expect((await ask(answering(kept))).headers['cache-control']).toBe('public, max-age=60')
  })

  it('names the place of a new resource where the endpoint says where those are', async () => {
    const { spec } = endpoint({
      route: 'POST /things',
      summary: 'Make a thing',
      access: 'public',
      output: { 201: z.object({ id: z.string() }) },
      location: '/things/',
      deps: {},
      run: () => ({ id: 'seven' }),
    })
    const { location: _, ...unplaced } = spec
    const placeIn = async (of: Spec) => (await call(of)).headers['location']
    expect([await placeIn(spec), await placeIn(unplaced)]).toEqual(['/things/seven', undefined])
  })

  it('carries the headers of every answer', async () => {
    const { headers } = await ask(answering({ status: 204 }))
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'api-version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })

  it('goes to a configured host at any port', () => {
    const allowed = (origin: string) =>
      corsHeaders(origin, ['http://localhost:*'])['access-control-allow-origin']
    expect(['http://localhost', 'http://localhost:5173'].map(allowed)).toEqual([
      'http://localhost',
      'http://localhost:5173',
    ])
    const others = ['https://localhost', 'http://localhost.evil.example', 'http://localhost:1@evil.example:2']
    expect(others.map(allowed)).toEqual([undefined, undefined, undefined])
  })

  it('goes to pages of configured origins, with the headers that they may read', async () => {
    const to = async (origin: string) =>
      (await ask(answering({ status: 204 }), { headers: { origin } })).headers
    expect(await to('https://www.platform.test')).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': 'https://www.platform.test',
      'access-control-expose-headers': expect.stringMatching(
        /ETag.*Retry-After.*X-Request-Id.*Idempotent-Replayed/,
      ),
    })
    expect((await to('https://evil.example'))['access-control-allow-origin']).toBeUndefined()
  })
})

describe('another method', () => {
  it('is refused by the function itself, wherever the gateway would not', async () => {
    for (const method of ['POST', 'HEAD', 'DELETE', 'get']) {
      const answer = await ask(answering({ status: 204 }), { method })
      expect(answer).toMatchObject({
        status: 405,
        body: { code: 'method_not_allowed' },
        headers: { allow: 'GET' },
      })
    }
  })
})

describe('a dependency', () => {
  it('is made at the first request and kept for the next', async () => {
    let made = 0
    const { spec } = endpoint({
      route: 'GET /counted',
      summary: 'Counts',
      access: 'public',
      output: { 204: null },
      deps: {
        counter: dependency([], () => {
          made += 1
          return made
        }),
      },
      run: () => ({ status: 204 }),
    })
    const handler = serve(spec)
    expect(made).toBe(0)
    for (let count = 0; count < 3; count += 1) await handler(httpEvent('GET /counted', {}), LAMBDA_CONTEXT)
    expect(made).toBe(1)
    await serve(spec, { counter: 0 })(httpEvent('GET /counted', {}), LAMBDA_CONTEXT)
    expect(made, 'with another in its place').toBe(1)
  })
})

/** What a request leaves on standard output. */
async function logged(run: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = []
  const { write } = process.stdout
  process.stdout.write = (line: string | Uint8Array) => lines.push(`${line}`.trimEnd()) > 0
  try {
    await run()
  } finally {
    process.stdout.write = write
  }
  return lines
}

const settings = {
  ORIGIN_SECRETS: [],
  PUBLIC_URL: 'https://api.platform.test',
  CORS_ORIGINS: [],
  LOG_LEVEL: 'info',
}

describe('the log', () => {
  it('has one line a request, with what an operator needs', async () => {
    let requestId = ''
    const lines = await logged(async () => {
      requestId = (await call(health, { deps: { settings } })).headers['x-request-id'] ?? ''
    })
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/Z$/),
        message: 'GET /health 200',
        route: 'GET /health',
        status: 200,
        requestId,
        durationMilliseconds: expect.any(Number),
      },
    ])
  })

  it('has the moment of the answer, and the milliseconds since the request', async () => {
    const time = { milliseconds: Date.parse('2026-11-20T12:00:00Z') }
    const run = () => {
      time.milliseconds += 250
      return { status: 204 }
    }
    const deps = { settings, now: () => new Date(time.milliseconds) }
    const lines = await logged(() => ask({ ...answering(undefined), run }, { deps }))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { time: '2026-11-20T12:00:00.250Z', durationMilliseconds: 250 },
    ])
  })

  // Attack: logs are read by more people than the table, and kept for longer.
  it('has nothing personal and nothing secret, whatever became of the request', async () => {
    const { email, token } = await aUser()
    const phone = '+2250701020304'
    const requests: [Spec, Call][] = [
      [register, { body: { email: 'fresh@example.com', password: PASSWORD, name: 'Aminata Traoré', phone } }],
      [register, { body: { email, password: PASSWORD, name: 'Aminata Traoré', phone } }],
      [register, { body: { email: 'fresh@', password: 'Aminata Traoré', name: 7, phone } }],
      [
        register,
        {
          rawBody: `{"password": "${PASSWORD}", "name": "Aminata Traoré"`,
          headers: { 'content-type': 'application/json' },
        },
      ],
      [login, { body: { email, password: PASSWORD } }],
      [login, { body: { email, password: `${PASSWORD} wrong` } }],
      [
        login,
        { body: { email, password: PASSWORD }, token, headers: { cookie: 'SECRET', 'user-agent': 'SECRET' } },
      ],
    ]
    const lines = await logged(async () => {
      for (const [spec, request] of requests)
        await call(spec, { ...request, deps: { settings }, ipAddress: '203.0.113.99' })
    })
    expect(lines).toHaveLength(requests.length)
    const secrets = [
      email,
      'fresh@',
      PASSWORD,
      'Aminata',
      phone,
      token,
      'SECRET',
      '203.0.113.99',
      'eyJ',
      'rft_',
      'argon2',
    ]
    for (const secret of secrets) expect(lines.join('\n')).not.toContain(secret)
  })

  it('tells who called by an opaque id, and why a request was refused by its code', async () => {
    const { id, token } = await aUser()
    const lines = await logged(() => call(getAgentProfile, { token, deps: { settings } }))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { caller: id, status: 404, code: 'agent_profile_not_found', level: 'info' },
    ])
  })

  it('has the cause of a fault of ours, which the answer has not', async () => {
    const spec = answering(undefined)
    const lines = await logged(() => ask(spec, { deps: { settings } }))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'error',
        status: 500,
        code: 'internal',
        cause: { name: 'TypeError', stack: expect.any(String) },
      },
    ])
  })

  it('names the provider of a callback, and counts signatures that are refused by it', async () => {
    const { spec } = callback({
      routes: ['POST /called/{provider}'],
      summary: 'Called back',
      problems: ['invalid_signature'],
      deps: {},
      run: () => {
        throw new DomainError('invalid_signature')
      },
    })
    const lines = await logged(async () => {
      for (const provider of ['wave-ci', 'A STRANGER'])
        await call(spec, { params: { provider }, deps: { settings: { ...settings, STAGE: 'test' } } })
    })
    const [refused, counted, ...strange] = lines.map((line) => JSON.parse(line))
    expect(refused).toMatchObject({ provider: 'wave-ci', code: 'invalid_signature', status: 401 })
    expect(counted).toMatchObject({ message: 'InvalidSignature', Provider: 'wave-ci', InvalidSignature: 1 })
    expect(strange).toMatchObject([{ code: 'invalid_signature' }, { message: 'InvalidSignature' }])
    for (const line of strange)
      for (const name of ['provider', 'Provider']) expect(line[name]).toBeUndefined()
  })

  it('has metrics as CloudWatch reads them, with and without their dimensions', async () => {
    const lines = await logged(async () => {
      waitingMeasure.make()('OldestThing', 7)
      failureCounter.make()('ThingFailed', 'mail', 'The mailbox is full')
    })
    const Stage = process.env['STAGE']
    const metric = (name: string, unit: string, ...dimensions: string[][]) => ({
      Timestamp: expect.any(Number),
      CloudWatchMetrics: [
        {
          Namespace: 'PlatformApi',
          Dimensions: [['Stage'], ...dimensions],
          Metrics: [{ Name: name, Unit: unit }],
        },
      ],
    })
    expect(lines.map((line) => JSON.parse(line)).filter((line) => '_aws' in line)).toEqual([
      { message: 'OldestThing', Stage, OldestThing: 7, _aws: metric('OldestThing', 'Seconds') },
      {
        ...{ message: 'ThingFailed', Stage, Kind: 'mail', ThingFailed: 1 },
        _aws: metric('ThingFailed', 'Count', ['Stage', 'Kind']),
      },
    ])
  })

  it('is silent below its level', async () => {
    expect(
      await logged(() => call(health, { deps: { settings: { ...settings, LOG_LEVEL: 'error' } } })),
    ).toEqual([])
  })
})

describe('GET /health and GET /.well-known/jwks.json', () => {
  it('answer anyone', async () => {
    expect(await call(health)).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await call(jwks)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'public, max-age=30' },
    })
  })

  it('give public keys only', async () => {
    const { keys } = (await call(jwks)).body
    expect(keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: 'platform-test', alg: 'EdDSA', use: 'sig' },
    ])
  })
})
