import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { spec as listPaymentProviders } from '#functions/providers/list-payment-providers'
import { serve } from '#lib/http/serve'
import { timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import { callReporter, providerHttp } from '#lib/providers/http'
import { readAnswer } from '#lib/providers/kit/api'
import type { ProviderDefinition, ProviderRequest } from '#lib/providers/provider'
import { openProviders, providerNames, requireKeys } from '#lib/providers/registry'
import { inlineSettings, secretSettings } from '#lib/providers/settings'
import { example as wavePayment } from '#test/providers/adapters/examples/wave'
import { paymentOf } from '#test/providers/adapters/speak'
import { deliver, fromGateway, fromStripe } from '#test/support/callbacks'
import { SETTINGS, STRIPE_SECRET, testProviders } from '#test/support/providers'

/** Keys that only a part of a provider needs: MTN's refunds. */
const OPTIONAL = ['disbursement']

describe('the configuration', () => {
  it.each([
    [{ stripe: { webhookSecrets: ['whsec_x'] } }, 'stripe.apiKey'],
    [{ stripe: { apiKey: ' ', webhookSecrets: [] } }, 'stripe.apiKey, stripe.webhookSecrets'],
    [{ stripe: { apiKey: 'sk', webhookSecrets: ['whsec_x', ' '] } }, 'stripe.webhookSecrets'],
    [{ 'standard-webhooks': {} }, 'standard-webhooks.webhookSecrets, standard-webhooks.checkoutUrl'],
    [{ paystack: {} }, 'paystack.apiKey'],
    [
      { mpesa: { ...SETTINGS['mpesa'], payouts: true, initiatorName: ' ' } },
      'mpesa.initiatorName, mpesa.securityCredential',
    ],
    [
      { 'mtn-momo': { ...SETTINGS['mtn-momo'], payouts: true, disbursement: { apiUser: 'u' } } },
      'mtn-momo.disbursement.apiKey, mtn-momo.disbursement.subscriptionKey',
    ],
  ])('that lacks a key is refused by its name: %j', (settings, names) => {
    expect(() => requireKeys(settings)).toThrow(`Configuration: PAYMENT_PROVIDERS lacks ${names}`)
  })

  it('a configuration that lacks a key stops the cold start of a function', () => {
    const environment = {
      AWS_LAMBDA_FUNCTION_NAME: 'payments',
      PAYMENT_PROVIDERS: '{"stripe":{"apiKey":"sk"}}',
    }
    const before = { ...process.env }
    Object.assign(process.env, environment)
    try {
      expect(() => serve(listPaymentProviders)).toThrow('PAYMENT_PROVIDERS lacks stripe.webhookSecrets')
    } finally {
      for (const name of Object.keys(environment)) delete process.env[name]
      Object.assign(process.env, before)
    }
  })

  it('names the very keys that each provider cannot do without', async () => {
    for (const name of Object.keys(SETTINGS)) {
      const required = Object.keys(SETTINGS[name] ?? {}).filter((key) => !OPTIONAL.includes(key))
      for (const key of required) {
        const { [key]: _, ...rest } = SETTINGS[name] ?? {}
        expect(() => requireKeys({ [name]: rest })).toThrow(`${name}.${key}`)
        await expect(testProviders({ [name]: rest }).find(name)).rejects.toThrow(key)
      }
      expect(() => requireKeys({ [name]: SETTINGS[name] ?? {} })).not.toThrow()
    }
  })

  it.each([
    ['mpesa', { securityCredential: 'sealed' }, 'mpesa.initiatorName'],
    ['mtn-momo', { disbursement: undefined }, 'mtn-momo.disbursement'],
  ])('that says it pays out and lacks a key fails the first request: %s', async (name, more, key) => {
    const settings = { [name]: { ...SETTINGS[name], payouts: true, ...more } }
    await expect(testProviders(settings).find(name)).rejects.toThrow(`${key}: is required to pay out`)
  })

  it.each(['flutterwave', 'mpesa', 'mtn-momo', 'paystack', 'wave'])(
    'says whether an account pays out: %s',
    async (name) => {
      const more = { initiatorName: 'i', securityCredential: 's' }
      const open = async (payouts: object) =>
        (await testProviders({ [name]: { ...SETTINGS[name], ...more, ...payouts } }).find(name))?.payouts
      expect(await open({})).toBeUndefined()
      expect(await open({ payouts: true })).toBeDefined()
    },
  )

  it("is in the operator's book, every key of every provider", async () => {
    const book = readFileSync(new URL('../../lib/docs/guides/operating.md', import.meta.url), 'utf8')
    for (const name of providerNames.filter((each) => each !== 'sandbox')) {
      const { provider }: { provider: ProviderDefinition } = await import(
        `../../lib/providers/adapters/${name}.ts`
      )
      const row = book.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
      const keys = Object.keys(provider.config.shape).filter(
        (key) => key !== 'apiBase' && key !== 'webhookSecrets',
      )
      for (const key of keys) expect(row, `${name}.${key}`).toContain(`\`${key}\``)
    }
  })

  it('may hold keys and providers that we do not know', async () => {
    const settings = { ...SETTINGS, paystack: { apiKey: ' sk_live_x\n', colour: 'blue' }, tomorrow: {} }
    requireKeys(settings)
    expect(await testProviders(settings).find('paystack')).toBeDefined()
    expect(await testProviders(settings).find('tomorrow')).toBeUndefined()
  })

  it.each([
    ['answered', async () => ({ status: 200, body: '{}' })],
    ['failed', async () => ({ status: 401, body: '{}' })],
    ['failed', async () => Promise.reject(new Error('ECONNRESET'))],
  ] as const)('reports each call by its account: %s', async (outcome, http) => {
    const reports: unknown[] = []
    const tools = { http, now: () => new Date(), publicUrl: 'https://api.platform.test' }
    const settings = { 'wave-ci': { ...SETTINGS['wave'], provider: 'wave' } }
    const report = (...call: unknown[]) => void reports.push(call)
    const wave = await openProviders(inlineSettings(settings), 'prod', { ...tools, report }).find('wave-ci')
    const payment = { ...paymentOf(wavePayment.conversation), references: ['cos-1'] }
    await wave?.readPayment?.({ references: ['cos-1'], payment }).catch(() => undefined)
    expect(reports.length).toBeGreaterThan(0)
    expect(new Set(reports.map((each) => `${each}`))).toEqual(new Set([`wave-ci,${outcome}`]))
  })

  it('writes a call as 1 or 0 by its account, whose average is the rate of success', () => {
    const lines: string[] = []
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(`${line}`) > 0)
    const report = callReporter('test')
    report('wave-ci', 'answered')
    report('wave-ci', 'failed')
    write.mockRestore()
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      [1, 0].map((ProviderSuccess) => ({
        ...{ Stage: 'test', Provider: 'wave-ci', ProviderSuccess },
        _aws: { CloudWatchMetrics: [{ Dimensions: [['Stage'], ['Stage', 'Provider']] }] },
      })),
    )
  })

  it('never switches the sandbox on outside the local stack', async () => {
    const tools = { http: providerHttp, now: () => new Date(), publicUrl: 'https://api.platform.test' }
    expect(await openProviders(inlineSettings(SETTINGS), 'prod', tools).find('sandbox')).toBeUndefined()
    expect(await openProviders(inlineSettings(SETTINGS), 'local', tools).find('sandbox')).toBeDefined()
  })

  it.each([['whsec_not base64'], ['whpk_AAAA'], ['whsec_']])(
    'refuses %j as a Standard Webhooks secret',
    async (secret) => {
      const settings = { 'standard-webhooks': { ...SETTINGS['standard-webhooks'], webhookSecrets: [secret] } }
      await expect(testProviders(settings).find('standard-webhooks')).rejects.toThrow(
        'Configuration: PAYMENT_PROVIDERS: standard-webhooks.webhookSecrets.0: ',
      )
    },
  )
})

describe('settings kept as a secret', () => {
  const at = (seconds: number) => new Date(1_795_000_000_000 + seconds * 1000)
  const secretOf = (...texts: (string | Error)[]) => {
    let reads = 0
    let now = at(0)
    const source = secretSettings(
      async () => {
        const text = texts[Math.min(reads, texts.length - 1)] ?? ''
        reads += 1
        if (text instanceof Error) throw text
        return text
      },
      () => now,
    )
    return { source, reads: () => reads, wait: (seconds: number) => (now = at(seconds)) }
  }

  it('are read at the first need, and again after five minutes', async () => {
    const secret = secretOf('{"a":{}}', '{"b":{}}')
    expect(await Promise.all([secret.source.current(), secret.source.current()])).toEqual([
      { a: {} },
      { a: {} },
    ])
    secret.wait(299)
    await secret.source.current()
    expect(secret.reads()).toBe(1)
    secret.wait(300)
    expect(await secret.source.current()).toEqual({ b: {} })
  })

  it('are read again for a signature in doubt, but not for every forged one', async () => {
    const secret = secretOf('{"a":{}}', '{"b":{}}')
    await secret.source.current()
    expect(await secret.source.renewed()).toBeUndefined()
    secret.wait(10)
    expect(await secret.source.renewed()).toEqual({ b: {} })
    expect(await secret.source.renewed()).toBeUndefined()
    expect(secret.reads()).toBe(2)
  })

  it('go on when they cannot be read again', async () => {
    const secret = secretOf('{"a":{}}', new Error('throttled'))
    await secret.source.current()
    secret.wait(400)
    expect(await secret.source.current()).toEqual({ a: {} })
  })

  it.each(['current', 'renewed'] as const)(
    'are not asked for by every request while they cannot be read: %s',
    async (way) => {
      const secret = secretOf('{"a":{}}', new Error('down'), '{"b":{}}')
      await secret.source.current()
      secret.wait(400)
      expect(await secret.source.current()).toEqual({ a: {} })
      secret.wait(409)
      expect(await secret.source.current()).toEqual({ a: {} })
      expect(await secret.source.renewed()).toBeUndefined()
      expect(secret.reads()).toBe(2)
      secret.wait(410)
      expect(await secret.source[way]()).toEqual({ b: {} })
    },
  )

  it('fail the request when they were never read, or are no settings', async () => {
    await expect(secretOf(new Error('no')).source.current()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(secretOf('{').source.current()).rejects.toThrow('PAYMENT_PROVIDERS_SECRET')
    await expect(secretOf('{"stripe":1}').source.current()).rejects.toThrow('PAYMENT_PROVIDERS_SECRET')
  })

  it('accept a new signature at once, though the secret was rotated a moment ago', async () => {
    const stripe = (secret: string) =>
      JSON.stringify({ stripe: { ...SETTINGS['stripe'], webhookSecrets: [secret] } })
    const secret = secretOf(stripe('whsec_old'), stripe(STRIPE_SECRET))
    const tools = { http: providerHttp, now: () => new Date(), publicUrl: 'https://api.platform.test' }
    const providers = openProviders(secret.source, 'prod', tools)
    await providers.find('stripe')
    const callback = fromStripe({ id: 'evt_rotated', type: 'ping', data: {} })
    expect(await deliver(callback, { providers })).toMatchObject({ status: 401 })
    secret.wait(60)
    expect(await deliver(callback, { providers })).toMatchObject({ status: 200 })
  })
})

describe('a call to a provider', () => {
  let failed = false
  const server = createServer((request, response) => {
    if (request.url === '/once') {
      response.writeHead(failed ? 200 : 503).end()
      failed = true
      return
    }
    if (request.url === '/cut') return void request.socket.destroy()
    if (request.url === '/large') return void response.end(Buffer.alloc(1024 * 1024 + 1, 'x'))
    response
      .writeHead(Number(request.url?.slice(1)), { location: '/200' })
      .end(`${request.method} ${request.headers['x']}`)
  })
  const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => server.close())

  it.each([200, 302, 400, 404])('brings back an answer of %i as it is', async (status) => {
    const request = { method: 'POST', url: at(`/${status}`), headers: { x: 'y' }, body: 'z' } as const
    expect(await providerHttp(request)).toEqual({ status, body: 'POST y' })
  })

  it.each(['/500', '/503', '/429', '/cut', '/large'])('is provider_unavailable at %s', async (path) => {
    await expect(providerHttp({ method: 'GET', url: at(path) })).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
  })

  it('is tried once more where that does no harm, and only there', async () => {
    await expect(providerHttp({ method: 'GET', url: at('/once') })).resolves.toMatchObject({ status: 200 })
    failed = false
    await expect(providerHttp({ method: 'POST', url: at('/once') })).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
    failed = false
    await expect(providerHttp({ method: 'POST', url: at('/once'), repeatable: true })).resolves.toMatchObject(
      { status: 200 },
    )
  })

  it('to an https address begins with a TLS handshake, and sends nothing in clear', async () => {
    const TLS_HANDSHAKE = 0x16
    const firstBytes: (number | undefined)[] = []
    const listener = createTcpServer((socket) =>
      socket
        .on('error', () => undefined)
        .once('data', (sent) => {
          firstBytes.push(sent[0])
          socket.destroy()
        }),
    )
    await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void listener.close())
    const url = `https://127.0.0.1:${(listener.address() as AddressInfo).port}/`
    await expect(providerHttp({ method: 'POST', url })).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
    expect(firstBytes).toEqual([TLS_HANDSHAKE])
  })

  it('is provider_unavailable where nobody listens', async () => {
    await expect(providerHttp({ method: 'GET', url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
  })
})

describe('an answer of a provider', () => {
  it('a refusal is logged by its codes, without keys and numbers that it may repeat', () => {
    const body = JSON.stringify({
      error: { code: 'invalid_request', message: 'Bearer sk_live_1 may not ask +254708374149' },
      type: 'card error',
      sent: { apikey: 'sk_live_1', phone: '254708374149' },
    })
    const refused = { message: 'The provider answered 400 invalid_request card error' }
    expect(() => readAnswer(z.object({}), { status: 400, body })).toThrow(
      expect.objectContaining({ code: 'provider_unavailable', cause: expect.objectContaining(refused) }),
    )
  })

  it('names no end of a checkout where it cannot be read: the payment keeps its own', async () => {
    const expires = async (expiry_date: unknown) => {
      const json = { id: 'inv_1', invoice_url: 'https://pay.example/1', expiry_date }
      const http = async ({ method }: ProviderRequest) => ({
        status: 200,
        body: JSON.stringify(method === 'GET' ? [] : json),
      })
      const provider = await testProviders(SETTINGS, { http }).find('xendit')
      const order = { id: newId('payment'), amount: 500_000, currency: 'IDR', purpose: 'fee' } as const
      const payer = { phone: null, returnUrl: null, email: 'a@b.example', name: 'Awa', country: null }
      const expiresAt = timestamp(new Date())
      const started = await provider?.start({ ...order, ...payer, expiresAt })
      return started && 'expiresAt' in started ? started.expiresAt : undefined
    }
    expect(await expires('2026-12-24T18:00:00Z')).toBe('2026-12-24T18:00:00.000Z')
    for (const unreadable of ['soon', '', null]) expect(await expires(unreadable)).toBeNull()
  })
})

const UNSIGNED = ['mpesa', 'mtn-momo']
const SIGNING = Object.keys(SETTINGS).filter((name) => !UNSIGNED.includes(name))
// biome-ignore format: a table
const SIGNATURE_HEADERS = [
  'authorization', 'cko-signature', 'flutterwave-signature', 'hmacsignature', 'stripe-signature', 'verif-hash',
  'wave-signature', 'webhook-id', 'webhook-signature', 'webhook-timestamp', 'x-callback-token',
  'x-mollie-signature', 'x-paystack-signature', 'x-razorpay-signature', 'x-signature',
  'x-square-hmacsha256-signature', 'x-token',
]

describe('every provider', () => {
  it.each(Object.keys(SETTINGS))('acknowledges with a 200: %s', async (name) => {
    const provider = await testProviders().find(name)
    expect(provider?.acknowledgement.status).toBe(200)
  })

  it.each(SIGNING)('refuses what nobody signed, whatever the headers hold: %s', async (name) => {
    const values = [
      '',
      ',',
      't=,v1=',
      't=1,v1=ü',
      'ts=1,v1=',
      'v1,',
      'sha256=',
      'Bearer ',
      'x'.repeat(10_000),
    ]
    const headers = values.map((value) =>
      Object.fromEntries(SIGNATURE_HEADERS.map((header) => [header, value])),
    )
    for (const forged of [{}, ...headers]) {
      const callback = { provider: name, headers: forged, rawBody: '{}' }
      expect(await deliver(callback)).toMatchObject({ status: 401, body: { code: 'invalid_signature' } })
    }
  })

  it.each(UNSIGNED)('a provider without signatures is acknowledged, and not believed: %s', async (name) => {
    for (const rawBody of ['', '{}', '[]', 'id=tr_1', '{"status":"SUCCESSFUL","externalId":7}']) {
      expect(await deliver({ provider: name, headers: {}, rawBody })).toMatchObject({ status: 200 })
    }
  })

  it('is told by its own signature only', async () => {
    const callback = fromGateway('payment.succeeded', {})
    expect(await deliver({ ...callback, provider: 'stripe' })).toMatchObject({ status: 401 })
  })
})
