import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { spec as register } from '#functions/accounts/register'
import { spec as createListing } from '#functions/listings/create-listing'
import { callback } from '#lib/http/callback'
import { endpoint } from '#lib/http/endpoint'
import { asDomainError } from '#lib/http/fault'
import { problemAnswer } from '#lib/http/problem'
import { PROBLEMS } from '#lib/http/problems'
import { serve } from '#lib/http/serve'
import { DomainError, type ProblemCode } from '#lib/kernel/domain-error'
import { WriteConflict } from '#lib/kernel/write'
import { call, httpEvent, problemOf } from '#test/support/call'
import { anAgent, type GivenUser } from '#test/support/given'
import { LAMBDA_CONTEXT } from '#test/support/lambda-context'

let agent: GivenUser

beforeAll(async () => {
  agent = await anAgent()
})

describe('what is wrong with a field', () => {
  const faults = async (body: Record<string, unknown>) => {
    const answer = await call(createListing, {
      token: agent.token,
      body: { offer: 'sale', category: 'house', ...body },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    return problemOf(answer, 'validation_failed').errors
  }

  it.each([
    [{ offer: undefined }, { path: 'offer', code: 'required', message: 'is required' }],
    [{ offer: 'lease' }, { path: 'offer', code: 'invalid_value', message: 'must be one of sale, rent' }],
    [{ offer: null }, { path: 'offer', code: 'invalid_value', message: 'must be one of sale, rent' }],
    [{ offer: 7 }, { path: 'offer', code: 'invalid_value', message: 'must be one of sale, rent' }],
    [{ title: 7 }, { path: 'title', code: 'invalid_type', message: 'must be a string' }],
    [{ title: 'ab' }, { path: 'title', code: 'too_small', message: 'must have at least 3 characters' }],
    [
      { title: 'a'.repeat(121) },
      { path: 'title', code: 'too_big', message: 'must have at most 120 characters' },
    ],
    [
      { title: 'a\u0000bc' },
      { path: 'title', code: 'invalid_value', message: 'must not contain control characters' },
    ],
    [{ bedrooms: '3' }, { path: 'bedrooms', code: 'invalid_type', message: 'must be a number' }],
    [{ bedrooms: 1.5 }, { path: 'bedrooms', code: 'invalid_type', message: 'must be an int' }],
    [{ bedrooms: -1 }, { path: 'bedrooms', code: 'too_small', message: 'must be at least 0' }],
    [{ bedrooms: 101 }, { path: 'bedrooms', code: 'too_big', message: 'must be at most 100' }],
    [{ features: 'pool' }, { path: 'features', code: 'invalid_type', message: 'must be an array' }],
    [
      { features: Array(51).fill('a') },
      { path: 'features', code: 'too_big', message: 'must have at most 50 items' },
    ],
    [{ features: ['a', 7] }, { path: 'features[1]', code: 'invalid_type', message: 'must be a string' }],
    [{ price: {} }, { path: 'price.amount', code: 'required', message: 'is required' }],
    [
      { price: { currency: 'XOF', amount: '150000' } },
      { path: 'price.amount', code: 'invalid_type', message: 'must be a number' },
    ],
    [
      { price: { currency: 'XOF', amount: 1e300 } },
      { path: 'price.amount', code: 'too_big', message: 'must be at most 1000000000000000' },
    ],
    [{ location: 'Abidjan' }, { path: 'location', code: 'invalid_type', message: 'must be an object' }],
    [
      { location: { country: 'ci', city: 'A' } },
      { path: 'location.country', message: 'must be an ISO 3166-1 alpha-2 code' },
    ],
    [
      { location: { country: 'XX', city: 'A' } },
      { path: 'location.country', message: 'must be an ISO 3166-1 alpha-2 code' },
    ],
    [{ location: { country: 'CI', city: 'A', lat: 5 } }, { path: 'location.lat', message: 'comes with lng' }],
  ])('in %j is said in words', async (body, fault) => {
    expect((await faults(body))[0]).toMatchObject(fault)
  })

  it('is said in our own words where the rule is our own', async () => {
    const { body } = await call(register, { body: { email: 'a@b', password: 'x', name: 'A', phone: '0700' } })
    expect(body).toMatchObject({
      errors: [
        { path: 'email', code: 'invalid_format', message: 'must be a valid email' },
        {
          path: 'phone',
          code: 'invalid_format',
          message: 'must be a telephone number in E.164 form, such as +2250700000000',
        },
      ],
    })
  })

  it.each([
    ['is sent as one', { body: { captions: { 'half \ud83d': 1 } } }],
    ['is one once it is cut', { query: { [`${'a'.repeat(99)}😀`]: '1' } }],
  ])('is said in whole characters where half a character in the name of the field %s', async (_, sent) => {
    const { spec } = endpoint({
      route: 'GET /things',
      summary: 'Things',
      access: 'public',
      input: {
        query: z.object({}),
        body: z.object({ captions: z.record(z.string(), z.string()).optional() }),
      },
      output: { 200: z.object({}) },
      deps: {},
      run: () => ({}),
    })
    const { detail, errors } = problemOf(await call(spec, sent), 'validation_failed')
    expect([detail, ...errors.map(({ path }) => path)].map((text) => text.isWellFormed())).toEqual([
      true,
      true,
    ])
  })

  it('is said once for a field and a fault', async () => {
    const said = (await faults({ price: { currency: 'XOF', amount: 1e300 }, bedrooms: 1e300 })).map(
      ({ path, code }) => `${path} ${code}`,
    )
    expect(said).toEqual([...new Set(said)])
  })

  it('is said for all fields at once, in the detail too', async () => {
    const { body } = await call(createListing, {
      token: agent.token,
      body: { category: 'house', bedrooms: '3' },
    })
    expect(body).toMatchObject({ detail: 'offer is required; bedrooms must be a number' })
  })
})

/** An endpoint that fails in whatever way a test says. */
const failing = (thrown: unknown) =>
  endpoint({
    route: 'GET /failing',
    summary: 'Fails',
    access: 'public',
    output: { 200: null },
    deps: {},
    run: () => {
      throw thrown
    },
  }).spec

const answerTo = async (thrown: unknown) => {
  const result = await serve(failing(thrown))(httpEvent('GET /failing', {}), {
    ...LAMBDA_CONTEXT,
    awsRequestId: 'req-1',
  })
  return {
    status: result.statusCode,
    headers: result.headers ?? {},
    text: result.body ?? '',
    body: JSON.parse(result.body ?? ''),
  }
}

/** As SDKs and runtimes name them. */
const fault = (name: string, more: object = {}) =>
  Object.assign(new Error('SECRET table-name 10.0.0.1'), { name, ...more })

describe('a fault of ours', () => {
  it.each([
    ['a bug', new TypeError('SECRET of undefined')],
    ['an SDK error', fault('ResourceNotFoundException')],
    ['a refused access', fault('AccessDeniedException')],
    ['a validation by the database', fault('ValidationException')],
    ['a missing variable', new Error('Configuration: SECRET is missing')],
    ['a text', 'SECRET'],
    ['nothing', undefined],
    ['null', null],
    ['a refusal of ours with a cause', new DomainError('internal', { cause: new Error('SECRET') })],
  ])('is a 500 that says nothing of the inside: %s', async (_what, thrown) => {
    const { status, body, text } = await answerTo(thrown)
    expect({ status, body }).toEqual({
      status: 500,
      body: {
        type: 'https://api.platform.test/docs#internal',
        title: 'Something went wrong on our side',
        status: 500,
        code: 'internal',
        detail: 'Something went wrong on our side',
        requestId: 'req-1',
      },
    })
    expect(text).not.toContain('SECRET')
  })

  it.each([
    ['a throttled table', fault('ThrottlingException')],
    ['a table beyond its throughput', fault('ProvisionedThroughputExceededException')],
    ['a server error of the database', fault('InternalServerError')],
    ['a write that lost to another', new WriteConflict('SECRET')],
    ['a slow bucket', fault('SlowDown')],
    ['a clock that was set while a bucket was asked', fault('RequestTimeTooSkewed')],
    ['a time-out', fault('TimeoutError')],
    ['a closed door', fault('Error', { code: 'ECONNREFUSED' })],
    ['a lost connection', fault('Error', { code: 'ECONNRESET' })],
    ['a connection that broke while it was written to', fault('Error', { code: 'EPIPE' })],
    ['a connection that timed out', fault('Error', { code: 'ETIMEDOUT' })],
    ['a name that cannot be resolved now', fault('Error', { code: 'EAI_AGAIN' })],
  ])('is a 503 to try again where it may pass: %s', async (_what, thrown) => {
    const { status, body, headers, text } = await answerTo(thrown)
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(headers['retry-after']).toBe('1')
    expect(text).not.toContain('SECRET')
  })
})

describe('a problem', () => {
  it('has one status and one title, and an address that ends in its code', () => {
    for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
      const [status, title] = PROBLEMS[code]
      const { statusCode, headers, body } = problemAnswer(new DomainError(code), {
        requestId: 'req-1',
        publicUrl: 'https://api.example',
        hasBearer: false,
      })
      expect({ statusCode, body: JSON.parse(body) }).toEqual({
        statusCode: status,
        body: {
          type: `https://api.example/docs#${code}`,
          title,
          status,
          code,
          detail: title,
          requestId: 'req-1',
        },
      })
      expect(headers['content-type']).toBe('application/problem+json')
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['www-authenticate']).toBe(
        status === 401 && code !== 'invalid_signature' ? 'Bearer' : undefined,
      )
    }
  })

  it('has the members that some codes add, and none that would hide its own', () => {
    const error = new DomainError('kyc_transition_not_allowed', {
      extensions: { from: 'A', to: 'B', allowed: [] },
    })
    expect(
      JSON.parse(problemAnswer(error, { requestId: 'r', publicUrl: '', hasBearer: true }).body),
    ).toMatchObject({
      from: 'A',
      to: 'B',
      allowed: [],
      status: 409,
    })
  })

  it('answers a callback that is refused, even where the caller would rather have a page', async () => {
    const { spec } = callback({
      routes: ['POST /called/{provider}'],
      summary: 'Called back',
      problems: ['invalid_signature'],
      deps: {},
      run: () => {
        throw new DomainError('invalid_signature')
      },
    })
    const answer = await call(spec, { params: { provider: 'wave' }, headers: { accept: 'text/html' } })
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(problemOf(answer).code).toBe('invalid_signature')
  })

  it('is made of any error, and shows a refusal alone', () => {
    const refusal = new DomainError('forbidden')
    expect(asDomainError(refusal)).toBe(refusal)
    expect(asDomainError({ statusCode: 418 })).toMatchObject({ code: 'internal' })
    expect(asDomainError(Object.assign(new Error(), { code: 'ECONNRESET' }))).toMatchObject({
      code: 'unavailable',
    })
  })
})
