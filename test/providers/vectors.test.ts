import { verify } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spec } from '#functions/payments/payment-callback'
import { providerHttp } from '#lib/providers/http'
import type { ProviderExample } from '#test/providers/adapters/example'
import { call } from '#test/support/call'
import { testProviders } from '#test/support/providers'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '#test/support/stand-in'

type Vector = {
  name: string
  expect: 'valid' | 'invalid'
  reason: string
  secrets?: string[]
  publicKeys?: string[]
  webhookId?: string
  certPem?: string
  url?: string
  /** One that is sent twice is a list. */
  headers: Record<string, string | string[]>
  rawBody: string
  now?: number
  policy?: boolean
}
type VectorFile = { now: number; vectors: Vector[] }

const folder = new URL('../support/vectors/', import.meta.url)
const files = await Promise.all(
  readdirSync(folder).map(async (file) => {
    const provider = file.replace('.json', '')
    const { now, vectors }: VectorFile = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    const { example }: { example: ProviderExample } = await import(`./adapters/examples/${provider}.ts`)
    return { provider, now, example, vectors: vectors.filter(({ policy }) => !policy) }
  }),
)
type File = (typeof files)[number]

/** The certificate that the stand-in for PayPal serves, or has to itself. */
let certificate = ''
let isServed = false
/** When the certificates of the vectors are valid already. */
const CERTIFIED = new Date('2026-11-21T12:00:00Z')
let api: StandIn
beforeAll(async () => {
  api = await startStandIn(paypal)
})
afterAll(() => api.close())

const signing = files.filter(({ vectors }) => vectors.length > 0)

describe.each([
  ...signing.map((file) => ({ ...file, how: 'verified here or, of PayPal, by its own call', serves: false })),
  ...signing
    .filter(({ provider }) => provider === 'paypal')
    .map((file) => ({ ...file, how: 'verified by its certificate', serves: true })),
])('a callback of $provider, $how', (file) => {
  it.each(file.vectors)('is $expect: $name ($reason)', async (vector) => {
    for (const rawBody of [vector.rawBody, Buffer.from(vector.rawBody)]) {
      const answer = await deliver(file, { ...vector, rawBody })
      // A genuine message may still be none of the gateway's four.
      expect(vector.expect === 'valid' ? [200, 400] : [401]).toContain(answer.status)
      if (vector.expect === 'invalid') expect(answer.body).toMatchObject({ code: 'invalid_signature' })
    }
  })

  // A signature in the body is left out by vectors of its own.
  it.each(
    file.vectors.filter(({ expect, headers }) => expect === 'valid' && signatureIn(headers).length > 0),
  )('is refused with an empty signature, and without one: $name', async (vector) => {
    const contentType = Object.entries(vector.headers).filter(isContentType)
    const empty = signatureIn(vector.headers).map(([name]) => [name, ''])
    for (const headers of [contentType, [...contentType, ...empty]]) {
      const answer = await deliver(file, { ...vector, headers: Object.fromEntries(headers) })
      expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_signature' } })
    }
  })
})

describe('the vectors of a provider', () => {
  it.each(signing)(
    'hold genuine callbacks and forged ones, one without a signature: $provider',
    ({ vectors }) => {
      expect(new Set(vectors.map((vector) => vector.expect))).toEqual(new Set(['valid', 'invalid']))
      const missing = vectors.filter(({ expect, name }) => expect === 'invalid' && /missing/.test(name))
      expect(missing).not.toEqual([])
    },
  )

  it.each(files.filter((file) => !signing.includes(file)))(
    'are missing only for a provider that takes no callback for signed: $provider',
    async ({ provider, example }) => {
      expect(example.sign).toBe('unsigned')
      const opened = await testProviders().find(provider)
      const request = { method: 'POST', headers: {}, rawQuery: '', rawBody: Buffer.from('{}') }
      expect(await opened?.verify?.(request)).toBe('unsigned')
    },
  )
})

const isContentType = ([name]: [string, unknown]): boolean => /^content-type$/i.test(name)

/** The headers that sign a callback: all of a vector's but its content type. */
const signatureIn = (headers: Vector['headers']) =>
  Object.entries(headers).filter((each) => !isContentType(each))

function deliver(
  file: File & { serves: boolean },
  vector: Omit<Vector, 'rawBody'> & { rawBody: string | Buffer },
) {
  certificate = vector.certPem ?? ''
  isServed = file.serves
  return call(spec, {
    params: { provider: accountOf(file.provider, vector) },
    query: Object.fromEntries(new URL(vector.url ?? 'https://hooks.example').searchParams),
    headers: Object.fromEntries(Object.entries(vector.headers).map(([name, value]) => [name, String(value)])),
    rawBody: vector.rawBody,
    deps: { providers: providersOf(file, vector) },
  })
}

/** Each vector has an account of its own, since an account asks little about what nobody has verified. */
const accountOf = (provider: string, { name }: Pick<Vector, 'name'>): string =>
  `${provider}-${name}${isServed ? '-served' : ''}`

function providersOf({ provider, now, example }: File, vector: Omit<Vector, 'rawBody'>) {
  const secrets = vector.secrets ?? vector.publicKeys ?? []
  const configured = {
    ...(example.configured?.(secrets, vector) ?? { webhookSecrets: secrets }),
    ...(isServed && { certificateRoots: vector.certPem }),
  }
  const moment = isServed ? CERTIFIED : new Date((vector.now ?? now) * 1000)
  const settings = { ...example.settings, ...configured, apiBase: api.url }
  const accounts = { [accountOf(provider, vector)]: { ...settings, provider } }
  return testProviders(accounts, { now: () => moment, http: providerHttp })
}

/**
 * PayPal's certificate where it is served, else its verification call, with the vector's certificate in place of the
 * one that the callback names. It signs the bytes of the body, so it has to find them as they were. No other API knows
 * anything here.
 */
function paypal({ path, body }: StandInRequest): StandInAnswer {
  if (path.startsWith('/v1/notifications/certs/')) return isServed ? { text: certificate } : undefined
  if (isServed) return { status: 500 }
  if (path === '/v1/oauth2/token') return { json: { access_token: 'A21', expires_in: 3600 } }
  if (path !== '/v1/notifications/verify-webhook-signature') return undefined
  const [, event = ''] = /"webhook_event":(.*)\}$/s.exec(body) ?? []
  const { transmission_id, transmission_time, transmission_sig, webhook_id } = JSON.parse(body)
  const signed = [transmission_id, transmission_time, webhook_id, crc32(event)].join('|')
  const isGenuine = verify(
    'sha256',
    Buffer.from(signed),
    certificate,
    Buffer.from(transmission_sig, 'base64'),
  )
  return { json: { verification_status: isGenuine ? 'SUCCESS' : 'FAILURE' } }
}
