import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { spec } from '#functions/payments/payment-callback'
import { call } from '#test/support/call'
import { SETTINGS, testProviders } from '#test/support/providers'

type Vector = {
  name: string
  expect: 'valid' | 'invalid'
  reason: string
  secrets?: string[]
  publicKeys?: string[]
  url?: string
  headers: Record<string, string>
  rawBody: string
  now?: number
  policy?: boolean
}
type VectorFile = { provider: string; now: number; vectors: Vector[] }

/** How a vector's secrets are configured, for the providers that do not simply have a list of them. */
const CONFIGURED: Record<string, (secrets: string[], vector: Vector) => object> = {
  paystack: ([apiKey, ...webhookSecrets]) => ({ apiKey, webhookSecrets }),
  midtrans: ([serverKey, ...webhookSecrets]) => ({ serverKey, webhookSecrets }),
  square: (webhookSecrets, { url }) => ({ webhookSecrets, notificationUrl: url }),
}

/** `mpesa` and `mtn-momo` do not sign: their files hold fixtures, which their own tests use. */
// biome-ignore format: a table
const FILES = [
  'adyen', 'checkout.com', 'cinetpay', 'flutterwave', 'midtrans', 'paystack', 'razorpay', 'square',
  'standard-webhooks', 'stripe', 'wave', 'xendit',
]

const files = FILES.map((name): VectorFile => {
  const file = readFileSync(new URL(`../support/vectors/${name}.json`, import.meta.url), 'utf8')
  return { ...JSON.parse(file), provider: name.replace('.', '-') }
})

describe.each(files)('a callback of $provider', ({ provider, now, vectors }) => {
  const decided = vectors.filter(({ policy }) => !policy)

  it.each(decided)('is $expect: $name ($reason)', async (vector) => {
    for (const rawBody of [vector.rawBody, Buffer.from(vector.rawBody)]) {
      const answer = await call(spec, {
        params: { provider },
        headers: vector.headers,
        rawBody,
        deps: { providers: providersOf(provider, vector, now) },
      })
      expect(answer.status).toBe(vector.expect === 'valid' ? 200 : 401)
      if (vector.expect === 'invalid') expect(answer.body).toMatchObject({ code: 'invalid_signature' })
    }
  })
})

function providersOf(provider: string, vector: Vector, now: number) {
  const secrets = vector.secrets ?? vector.publicKeys ?? []
  const configured = CONFIGURED[provider]?.(secrets, vector) ?? { webhookSecrets: secrets }
  const moment = new Date((vector.now ?? now) * 1000)
  return testProviders({ [provider]: { ...SETTINGS[provider], ...configured } }, { now: () => moment })
}
