import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spec } from '#functions/payments/payment-callback'
import { providerHttp } from '#lib/providers/http'
import { call } from '#test/support/call'
import { SETTINGS, testProviders } from '#test/support/providers'
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
type VectorFile = { provider: string; now: number; vectors: Vector[] }

/** How a vector's secrets are configured, for the providers that do not simply have a list of them. */
const CONFIGURED: Record<string, (secrets: string[], vector: Vector) => object> = {
  paystack: ([apiKey, ...webhookSecrets]) => ({ apiKey, webhookSecrets }),
  midtrans: ([serverKey, ...webhookSecrets]) => ({ serverKey, webhookSecrets }),
  paypal: (_, { webhookId, certPem }) => ({ webhookId, ...(isServed && { certificateRoots: certPem }) }),
  square: (webhookSecrets, { url }) => ({ webhookSecrets, notificationUrl: url }),
}

/** `mpesa` and `mtn-momo` do not sign: their files hold fixtures, which their own tests use. */
// biome-ignore format: a table
const FILES = [
  'adyen', 'checkout.com', 'cinetpay', 'flutterwave', 'mercadopago', 'midtrans', 'mollie', 'paypal', 'paystack',
  'razorpay', 'square', 'standard-webhooks', 'stripe', 'wave', 'xendit',
]

const files = FILES.map((name): VectorFile => {
  const file = readFileSync(new URL(`../support/vectors/${name}.json`, import.meta.url), 'utf8')
  return { ...JSON.parse(file), provider: name.replace('.', '-') }
})

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

describe.each([
  ...files.map((file) => ({ ...file, how: 'verified here or, of PayPal, by its own call', serves: false })),
  ...files
    .filter(({ provider }) => provider === 'paypal')
    .map((file) => ({ ...file, how: 'verified by its certificate', serves: true })),
])('a callback of $provider, $how', ({ provider, now, vectors, serves }) => {
  const decided = vectors.filter(({ policy }) => !policy)

  it.each(decided)('is $expect: $name ($reason)', async (vector) => {
    certificate = vector.certPem ?? ''
    isServed = serves
    for (const rawBody of [vector.rawBody, Buffer.from(vector.rawBody)]) {
      const answer = await call(spec, {
        params: { provider: accountOf(provider, vector) },
        query: Object.fromEntries(new URL(vector.url ?? 'https://hooks.example').searchParams),
        headers: Object.fromEntries(
          Object.entries(vector.headers).map(([name, value]) => [name, String(value)]),
        ),
        rawBody,
        deps: { providers: providersOf(provider, vector, now) },
      })
      // A genuine message may still be none of the gateway's four.
      expect(vector.expect === 'valid' ? [200, 400] : [401]).toContain(answer.status)
      if (vector.expect === 'invalid') expect(answer.body).toMatchObject({ code: 'invalid_signature' })
    }
  })
})

/** Each vector has an account of its own, since an account asks little about what nobody has verified. */
const accountOf = (provider: string, { name }: Vector): string =>
  `${provider}-${name}${isServed ? '-served' : ''}`

function providersOf(provider: string, vector: Vector, now: number) {
  const secrets = vector.secrets ?? vector.publicKeys ?? []
  const configured = CONFIGURED[provider]?.(secrets, vector) ?? { webhookSecrets: secrets }
  const moment = isServed ? CERTIFIED : new Date((vector.now ?? now) * 1000)
  const settings = { ...SETTINGS[provider], ...configured, apiBase: api.url }
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
