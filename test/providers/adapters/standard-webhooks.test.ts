import { createHmac, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as listCallbacks } from '#functions/payments/list-callbacks'
import { requireKeys } from '#lib/providers/registry'
import { STANDARD_SECRET } from '#test/providers/adapters/example'
import { call, problemOf } from '#test/support/call'
import { deliver, fromGateway, signedByGateway } from '#test/support/callbacks'
import { aCustomer } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, paymentOf } from '#test/support/payments'
import { testProviders } from '#test/support/providers'

let user: GivenUser
beforeEach(async () => {
  user = await aCustomer()
})

const PUBLIC_KEY = `whpk_${Buffer.alloc(32, 9).toString('base64')}`
const gateway = (checkoutUrl: string, webhookSecrets = [STANDARD_SECRET]) => ({
  'standard-webhooks': { checkoutUrl, webhookSecrets },
})
const callbackOf = async (eventId: string) => {
  const { body } = await call(listCallbacks, {
    token: await consoleToken(),
    query: { limit: '100', provider: 'standard-webhooks' },
  })
  return body.items.find((each) => each.eventId === eventId)
}

describe('the address of the gateway’s page', () => {
  const RETURN_URL = 'https://www.platform.test/paid?from=é'
  const addressOf = async (template: string, returnUrl?: string, secrets?: string[]) => {
    const providers = testProviders(gateway(template, secrets))
    const payment = await aPayment(user, { amount: 150_000, currency: 'XOF', returnUrl }, providers)
    return { payment, url: payment.checkout?.url ?? '' }
  }

  it('holds what is to be paid, where to return and until when, each percent-encoded', async () => {
    const { payment, url } = await addressOf(
      'https://pay.example/{paymentId}/{amount}-{currency}?back={returnUrl}&until={expiresAt}&{other}',
      RETURN_URL,
    )
    const back = new URL(RETURN_URL)
    back.searchParams.set('payment', payment.id)
    expect(url).toBe(
      `https://pay.example/${payment.id}/150000-XOF?back=${encodeURIComponent(back.href)}` +
        `&until=${encodeURIComponent(payment.checkout?.expiresAt ?? '')}&{other}`,
    )
    const day = Date.parse(payment.checkout?.expiresAt ?? '') - Date.parse(payment.createdAt)
    expect(day).toBe(24 * 60 * 60 * 1000)
  })

  it.each([RETURN_URL, undefined])('is signed over all five values, used or not: %s', async (returnUrl) => {
    const { payment, url } = await addressOf('https://pay.example/?s={signature}', returnUrl, [
      PUBLIC_KEY,
      STANDARD_SECRET,
      `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    ])
    const back = returnUrl ? new URL(returnUrl) : undefined
    back?.searchParams.set('payment', payment.id)
    const lines = [payment.id, '150000', 'XOF', back?.href ?? '', payment.checkout?.expiresAt]
    const signature = createHmac('sha256', Buffer.alloc(32, 7))
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('base64url')
    expect(url).toBe(`https://pay.example/?s=${signature}`)
  })

  it('stops the start where it is to be signed and there is no shared secret', () => {
    const lacks = 'PAYMENT_PROVIDERS lacks standard-webhooks.webhookSecrets'
    expect(() => requireKeys(gateway('https://pay.example/{signature}', [PUBLIC_KEY]))).toThrow(lacks)
    expect(() => requireKeys({ 'standard-webhooks': { checkoutUrl: 'https://pay.example/' } })).toThrow(lacks)
    expect(() => requireKeys(gateway('https://pay.example/', [PUBLIC_KEY]))).not.toThrow()
    expect(() => requireKeys(gateway('https://pay.example/{signature}'))).not.toThrow()
  })
})

const MONEY = { amount: 12_550, currency: 'EUR' }
const NOW = '2026-11-20T12:00:00.000Z'
const MESSAGES = {
  'payment.succeeded': { id: 'txn_1', reference: 'ref_1', ...MONEY },
  'payment.failed': { reference: 'ref_1' },
  'payment.refunded': { reference: 'ref_1', refund_id: 'r_1', status: 'pending', ...MONEY },
  'payment.disputed': { reference: 'ref_1', dispute_id: 'd_1', status: 'opened', ...MONEY },
}
const demanded = Object.entries(MESSAGES).flatMap(([type, data]) =>
  Object.keys(data).map((field) => [type, field, data] as const),
)

describe('a message of the gateway', () => {
  it.each(demanded)('a message that is %s without %s is a 400 that names it', async (type, field, data) => {
    const body = { type, timestamp: NOW, data: { ...data, [field]: undefined } }
    expect(await deliver(signedByGateway(body))).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        detail: `data.${field} is required`,
        errors: [{ path: `data.${field}`, code: 'required', message: 'is required' }],
      },
    })
  })

  const succeeded = (more: object) => ({
    type: 'payment.succeeded',
    timestamp: NOW,
    data: { ...MESSAGES['payment.succeeded'], ...more },
  })
  it.each([
    ['another type', { ...succeeded({}), type: 'refund.succeeded' }, 'type', 'payment.disputed'],
    ['a type of every object', { ...succeeded({}), type: 'constructor' }, 'type', 'payment.failed'],
    ['no time', { ...succeeded({}), timestamp: undefined }, 'timestamp', 'required'],
    ['a time without its zone', { ...succeeded({}), timestamp: '2026-11-20T12:00:00' }, 'timestamp', ''],
    ['a day that there is not', { ...succeeded({}), timestamp: '2026-02-30T12:00:00Z' }, 'timestamp', ''],
    ['an amount as text', succeeded({ amount: '12550' }), 'data.amount', ''],
    ['a fraction', succeeded({ amount: 125.5 }), 'data.amount', ''],
    ['nothing', succeeded({ amount: 0 }), 'data.amount', '1'],
    ['more than all', succeeded({ amount: 10 ** 15 + 1 }), 'data.amount', `${10 ** 15}`],
    ['a small currency', succeeded({ currency: 'eur' }), 'data.currency', 'capital'],
    ['an empty id', succeeded({ id: '' }), 'data.id', '1'],
    ['a long id', succeeded({ id: 'x'.repeat(256) }), 'data.id', '255'],
    ['half a character', succeeded({ id: 'a\ud800' }), 'data.id', 'well-formed'],
    ['no data', { type: 'payment.failed', timestamp: NOW }, 'data', 'required'],
    ['data in a list', { type: 'payment.failed', timestamp: NOW, data: [] }, 'data', 'object'],
    ['a list', [], '', 'object'],
    ['null', 'null', '', 'object'],
    ['no JSON', '{"type":', '', 'JSON'],
  ])('with %s is a 400 that says where and what', async (_, body, path, word) => {
    const { status, body: problem } = await deliver(signedByGateway(body))
    expect([status, problem]).toMatchObject([400, { code: 'validation_failed', errors: [{ path }] }])
    expect(JSON.stringify(problem)).toContain(word)
  })

  it.each([
    ['payment.failed', 'blocked', 'failed, cancelled, expired'],
    ['payment.refunded', 'done', 'pending, succeeded, failed'],
    ['payment.disputed', 'lost?', 'inquiry, opened, won, lost'],
  ] as const)('that is %s with an unknown status says which there are', async (type, status, names) => {
    const answer = await deliver(fromGateway(type, { ...MESSAGES[type], status }))
    expect(answer).toMatchObject({ status: 400, body: { detail: `data.status must be one of ${names}` } })
  })

  it('may leave out or empty what is optional', async () => {
    const { id } = await aPayment(user)
    const empty = { reference: id, id: null, status: null, code: null, message: null }
    expect(await deliver(fromGateway('payment.failed', empty))).toMatchObject({ status: 200 })
    expect(await paymentOf(user, id)).toMatchObject({ status: 'FAILED', failure: { code: 'payment_failed' } })
    const dispute = { ...MESSAGES['payment.disputed'], charge_id: null, respond_by: null, reason: null }
    expect(await deliver(fromGateway('payment.disputed', dispute))).toMatchObject({ status: 200 })
  })

  it('is UNMATCHED where its reference names no payment, though another payment has its charge', async () => {
    const { id } = await aPayment(user)
    const paid = { ...MONEY, id: `txn_${id}`, reference: id }
    await deliver(fromGateway('payment.succeeded', paid))
    const eventId = `msg_${randomUUID()}`
    await deliver(fromGateway('payment.succeeded', { ...paid, reference: 'order 17' }, { id: eventId }))
    expect(await callbackOf(eventId)).toMatchObject({ status: 'UNMATCHED', paymentId: null })
  })

  it('leads a payment through its life', async () => {
    const { id } = await aPayment(user)
    const send = async (type: string, data: object) => {
      expect(await deliver(fromGateway(type, { ...MONEY, reference: id, ...data }))).toMatchObject({
        status: 200,
      })
      return (await call(getPaymentInFull, { token: await consoleToken(), params: { id } })).body
    }
    expect(await send('payment.succeeded', { id: 'txn_1' })).toMatchObject({ status: 'SUCCEEDED' })
    const refund = { refund_id: 'r_1', amount: 50, charge_id: 'txn_1' }
    expect(await send('payment.refunded', { ...refund, status: 'pending' })).toMatchObject({
      amountRefunded: 0,
      refunds: [{ status: 'PENDING' }],
    })
    for (const _ of [1, 2])
      expect(await send('payment.refunded', { ...refund, status: 'succeeded' })).toMatchObject({
        status: 'PARTIALLY_REFUNDED',
        amountRefunded: 50,
      })
    const dispute = { dispute_id: 'd_1', amount: 12_500, respond_by: '2026-12-01T00:00:00+01:00' }
    expect(await send('payment.disputed', { ...dispute, status: 'opened' })).toMatchObject({
      status: 'DISPUTED',
      disputes: [{ id: 'd_1', state: 'OPEN', respondBy: '2026-11-30T23:00:00.000Z' }],
    })
    expect(await send('payment.disputed', { ...dispute, status: 'won' })).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      disputes: [{ state: 'WON' }],
    })
  })
})

describe('a broken message', () => {
  const broken = (id: string, eventId: string, more: object = { amount: '12550' }) =>
    deliver(
      fromGateway(
        'payment.succeeded',
        { ...MONEY, id: `txn_${id}`, reference: id, ...more },
        { id: eventId },
      ),
    )
  const fixed = (id: string, eventId: string, more: object = {}) => broken(id, eventId, more)

  it('is kept as FAILED with the words of its 400, and moves nothing', async () => {
    const { id } = await aPayment(user)
    const eventId = `msg_${id}`
    const refused = await broken(id, eventId, { amount: '12550', currency: 'euro' })
    expect(refused.status).toBe(400)
    expect(await callbackOf(eventId)).toMatchObject({
      status: 'FAILED',
      type: 'payment.succeeded',
      paymentId: null,
      detail: problemOf(refused).detail,
    })
    expect(await paymentOf(user, id)).toMatchObject({ status: 'PENDING' })
  })

  it('gives its place to the next under its id, until one is understood', async () => {
    const { id } = await aPayment(user)
    const eventId = `msg_${id}`
    await broken(id, eventId)
    await broken(id, eventId, { currency: 'euro' })
    expect(await callbackOf(eventId)).toMatchObject({
      status: 'FAILED',
      detail: 'data.currency must be three capital letters',
    })
    expect(await fixed(id, eventId)).toMatchObject({ status: 200 })
    expect(await paymentOf(user, id)).toMatchObject({ status: 'SUCCEEDED' })
    const processed = await callbackOf(eventId)
    expect(processed).toMatchObject({ status: 'PROCESSED', detail: null })
    expect(await broken(id, eventId)).toMatchObject({ status: 400 })
    expect(await callbackOf(eventId)).toEqual(processed)
    expect(await fixed(id, eventId)).toMatchObject({ status: 200 })
    expect(await callbackOf(eventId)).toEqual(processed)
  })

  it('gives its place once, however many copies of the next come at once', async () => {
    const { id } = await aPayment(user)
    const eventId = `msg_${id}`
    await Promise.all(Array.from({ length: 5 }, () => broken(id, eventId)))
    const answers = await Promise.all(Array.from({ length: 10 }, () => fixed(id, eventId)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await paymentOf(user, id)).toMatchObject({ status: 'SUCCEEDED' })
    expect(await callbackOf(eventId)).toMatchObject({ status: 'PROCESSED' })
  })

  it('is in no conflict with one that is understood: two of those are', async () => {
    const { id } = await aPayment(user)
    const eventId = `msg_${id}`
    await broken(id, eventId)
    await fixed(id, eventId)
    await fixed(id, eventId, { amount: 12_000 })
    expect(await callbackOf(eventId)).toMatchObject({ status: 'CONFLICT' })
  })

  it('is refused unsigned before anything is said of it', async () => {
    const message = signedByGateway('{"type":')
    expect(await deliver({ ...message, rawBody: `${message.rawBody} ` })).toMatchObject({
      status: 401,
      body: { code: 'invalid_signature' },
    })
  })
})
