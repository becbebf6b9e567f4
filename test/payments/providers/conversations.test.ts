import { afterEach, describe, expect, it } from 'vitest'
import { timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import { providerHttp } from '#lib/payments/provider/http'
import type { KnownPayment, PaymentOrder, PaymentProvider } from '#lib/payments/provider/provider'
import { SETTINGS, testProviders } from '#test/support/providers'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '#test/support/stand-in'

const ID = newId('payment')
const REFUND = newId('refund')

/** What a provider's API answers, by method and path; the rest it does not know. */
type Script = Record<string, unknown>

type Conversation = {
  currency: Currency
  amount: number
  script: Script
  /** What the payment is known by, once it has been paid. */
  references: string[]
  /** Where the page is; null for those who ask on the phone. */
  url: string | null
  /** What starting it sends: where, its idempotency key if there is a header for it, and the amount. */
  start: { at: string; key?: [string, string]; body: object }
  /** What asking tells. */
  told: object[]
  /** What refunding a part answers; undefined where that is done at the provider. */
  refund?: {
    amount: number
    state: string
    providerRefundId: string | null
    key?: [string, string]
    body: object
  }
}

const CONVERSATIONS: Record<string, Conversation> = {}

const conversations = Object.entries(CONVERSATIONS)

describe('a provider', () => {
  it.each(conversations)('is asked for money under our id: %s', async (name, conversation) => {
    const { provider, api } = await speakWith(name, conversation)
    const started = await provider.start(orderOf(conversation))
    expect(started).toMatchObject({ url: conversation.url })
    const request = sentTo(api, 'POST', conversation.start.at)
    const [header, key] = conversation.start.key ?? []
    if (header) expect(request?.headers[header]).toBe(key)
    expect(JSON.parse(request?.body ?? '')).toMatchObject(conversation.start.body)
  })

  it.each(conversations)('tells how a payment stands: %s', async (name, conversation) => {
    const { provider } = await speakWith(name, conversation)
    const payment = paymentOf(conversation)
    const reading = await provider.readPayment?.({ references: [...payment.references, ID], payment })
    const { charges = [], refunds = [], disputes = [] } = reading ?? {}
    expect([...charges, ...refunds, ...disputes]).toMatchObject(conversation.told)
  })

  it.each(conversations)('that knows nothing of a payment answers null: %s', async (name, conversation) => {
    const logins = Object.entries(conversation.script).filter(([route]) => /token|oauth/.test(route))
    const { provider } = await speakWith(name, { ...conversation, script: Object.fromEntries(logins) })
    const payment = paymentOf(conversation)
    expect(await provider.readPayment?.({ references: [ID], payment })).toBeNull()
  })

  it.each(conversations.filter(([, { refund }]) => refund))(
    'gives money back under our id: %s',
    async (name, conversation) => {
      const { provider, api } = await speakWith(name, conversation)
      const { amount = 0, key: [header, key] = [], body, ...refund } = conversation.refund ?? {}
      const { currency } = conversation
      const order = {
        id: REFUND,
        key: REFUND,
        chargeId: null,
        payment: paymentOf(conversation),
        amount,
        currency,
        reason: null,
      }
      expect(await provider.startRefund?.(order)).toEqual(refund)
      const request = api.requests.findLast(
        ({ method, path }) => method === 'POST' && !path.includes('token'),
      )
      if (header) expect(request?.headers[header]).toBe(key)
      expect(JSON.parse(request?.body ?? '')).toMatchObject(body ?? {})
    },
  )

  it.each(conversations.filter(([, { refund }]) => refund))(
    'that refuses a refund has failed it: %s',
    async (name, conversation) => {
      const refusing = (request: StandInRequest): StandInAnswer =>
        /refund/.test(request.path) && request.method === 'POST'
          ? { status: 400, json: { status_code: '412' } }
          : answerOf(conversation.script, request)
      const { provider } = await speakWith(name, conversation, refusing)
      const { amount = 0 } = conversation.refund ?? {}
      const { currency } = conversation
      const order = {
        id: REFUND,
        key: REFUND,
        chargeId: null,
        payment: paymentOf(conversation),
        amount,
        currency,
        reason: null,
      }
      expect(await provider.startRefund?.(order)).toMatchObject({ state: 'failed' })
    },
  )

  it.each(conversations)('that sends us elsewhere has taken nothing: %s', async (name, conversation) => {
    const { provider } = await speakWith(name, conversation, (request) =>
      /token|oauth/.test(request.path) ? answerOf(conversation.script, request) : { status: 302 },
    )
    const unavailable = { code: 'provider_unavailable' }
    await expect(provider.start(orderOf(conversation))).rejects.toMatchObject(unavailable)
  })

  it.each(conversations)('that is down is provider_unavailable: %s', async (name, conversation) => {
    const { provider } = await speakWith(name, conversation, () => ({ status: 503 }))
    const references = [ID, ...conversation.references]
    const question = { references, payment: paymentOf(conversation) }
    const unavailable = { code: 'provider_unavailable' }
    await expect(provider.start(orderOf(conversation))).rejects.toMatchObject(unavailable)
    await expect(provider.readPayment?.(question)).rejects.toMatchObject(unavailable)
  })
})

describe('an amount that a provider cannot ask for', () => {
  it.each([
    ['cinetpay', 12_551, 'XOF', 'multiple of 5'],
    ['cinetpay', 150, 'USD', 'whole number'],
    ['midtrans', 12_550, 'IDR', 'whole number'],
    ['xendit', 12_550, 'IDR', 'whole number'],
    ['mpesa', 12_550, 'KES', 'whole number'],
    ['paypal', 12_550, 'HUF', 'whole number'],
    ['mercadopago', 12_550, 'COP', 'whole number'],
    ['adyen', 12_550, 'IDR', 'whole number'],
    ['razorpay', 1_001, 'KWD', 'multiple of 10'],
    ['checkout-com', 1_001, 'KWD', 'multiple of 10'],
  ] as const)('is refused before it is asked: %s %i %s', async (name, amount, currency, why) => {
    const provider = await testProviders().find(name)
    expect(provider?.refuses?.({ amount, currency })).toContain(why)
  })
})

let open: StandIn[] = []
afterEach(() => {
  for (const api of open) api.close()
  open = []
})

async function speakWith(
  name: string,
  { script }: Conversation,
  answer = (request: StandInRequest) => answerOf(script, request),
): Promise<{ provider: PaymentProvider; api: StandIn }> {
  const api = await startStandIn(answer)
  open.push(api)
  const settings = { [name]: { ...SETTINGS[name], apiBase: api.url } }
  const provider = await testProviders(settings, { http: providerHttp }).find(name)
  if (!provider) throw new Error(`${name} is not switched on`)
  return { provider, api }
}

const answerOf = (script: Script, { method, path }: StandInRequest): StandInAnswer => {
  const json = script[`${method} ${path}`]
  return json === undefined ? undefined : { json }
}

const sentTo = ({ requests }: StandIn, method: string, path: string) =>
  requests.find((request) => request.method === method && request.path === path)

const orderOf = ({ amount, currency }: Conversation): PaymentOrder => ({
  id: ID,
  amount,
  currency,
  purpose: 'deposit',
  phone: '+254708374149',
  returnUrl: null,
  email: 'buyer@example.test',
  name: 'Awa Koné',
  country: 'CI',
  expiresAt: timestamp(new Date(Date.now() + 24 * 60 * 60 * 1000)),
})

const paymentOf = ({ amount, currency, references, url }: Conversation): KnownPayment => {
  const createdAt = timestamp(new Date())
  return {
    id: ID,
    amount,
    currency,
    phone: '+254708374149',
    references,
    checkout: { url, expiresAt: createdAt },
    status: 'PENDING',
    createdAt,
    expiresAt: createdAt,
  }
}
