import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as getPayment } from '#functions/payments/get-payment'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as callbackSpec } from '#functions/payments/payment-callback'
import type { PaymentView } from '#lib/payments/payment-view'
import { call } from '#test/support/call'
import { deliver, fromGateway, fromPaystack, fromStripe, type SignedCallback } from '#test/support/callbacks'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { SETTINGS, testProviders } from '#test/support/providers'
import { testTable } from '#test/support/test-table'

const draft = { provider: 'standard-webhooks', amount: 12_550, currency: 'EUR', purpose: 'deposit' }

let user: GivenUser
const table = testTable()

// A person may begin 60 payments a day.
beforeEach(async () => {
  user = await aUser()
})

const http = async () => ({
  status: 200,
  body: JSON.stringify({
    id: `cs_${randomUUID()}`,
    url: 'https://checkout.example/1',
    expires_at: 4_000_000_000,
    data: { authorization_url: 'https://checkout.example/1' },
  }),
})
const aPayment = async (more: object = {}): Promise<PaymentView> => {
  const deps = { providers: testProviders(SETTINGS, { http }) }
  const { status, body, text } = await call(createPayment, {
    token: user.token,
    body: { ...draft, ...more },
    deps,
  })
  if (status !== 201) throw new Error(text)
  return body
}
const get = async (id: string): Promise<PaymentView> =>
  (await call(getPayment, { token: user.token, params: { id } })).body
const statusOf = async (id: string) => (await get(id)).status
const paid = ({ id, amount, currency }: PaymentView, more: object = {}, message: { id?: string } = {}) =>
  fromGateway('payment.succeeded', { id: `txn_${id}`, reference: id, amount, currency, ...more }, message)

/** What the table holds of a payment: itself and its moves. */
const kept = async (id: string) => (await table.query({ partition: `PAYMENT#${id}` })).items
const moves = async (id: string) => (await kept(id)).filter(({ kind }) => kind === 'payment-move')

describe('POST /payments/callback/{provider}', () => {
  it('knows no type that is called as something every object has', async () => {
    const about = { id: `x_${randomUUID()}`, object: { id: 'cs_1' } }
    const named = (key: 'type' | 'event', type: string) => ({ id: randomUUID(), [key]: type, data: about })
    for (const type of ['constructor', 'toString', '__proto__']) {
      expect(await deliver(fromStripe(named('type', type)))).toMatchObject({ status: 200 })
      expect(await deliver(fromPaystack(named('event', type)))).toMatchObject({ status: 200 })
      expect(await deliver(fromGateway(type, about))).toMatchObject({ status: 400 })
    }
  })

  it('answers 404 for a provider that is unknown or switched off', async () => {
    const callback = fromGateway('payment.succeeded', {})
    expect(await deliver({ ...callback, provider: 'bank-of-mars' })).toMatchObject({ status: 404 })
    expect(await deliver({ ...callback, provider: '__proto__' })).toMatchObject({ status: 404 })
    const off = { providers: testProviders({ stripe: SETTINGS['stripe'] ?? {} }) }
    expect(await deliver(callback, off)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('stores no unsigned callback', async () => {
    const payment = await aPayment()
    const callback = paid(payment, {}, { id: 'msg_forged' })
    const tampered = { ...callback, rawBody: callback.rawBody.replace('12550', '12551') }
    expect(await deliver(tampered)).toMatchObject({ status: 401, body: { code: 'invalid_signature' } })
    expect(await statusOf(payment.id)).toBe('PENDING')
    // Had it been kept, the genuine message under the same id would now conflict with it.
    await deliver(callback)
    expect(await statusOf(payment.id)).toBe('SUCCEEDED')
  })

  it.each([
    ['text', (rawBody: string) => rawBody],
    ['base64', (rawBody: string) => Buffer.from(rawBody)],
  ])('serves a function URL, where the provider is the last segment of the path: %s', async (_, encoded) => {
    const payment = await aPayment()
    const { headers, rawBody } = paid(payment, { note: 'payé' })
    const at = (path: string, body: string) =>
      call(callbackSpec, { path, headers, rawBody: encoded(body), deps: { providers: testProviders() } })
    const address = '/payments/callback/standard-webhooks'
    expect(await at(address, rawBody.replace('12550', '12551'))).toMatchObject({ status: 401 })
    expect(await at('/payments/callback/bank-of-mars', rawBody)).toMatchObject({ status: 404 })
    expect(await at(address, rawBody)).toMatchObject({ status: 200, body: { received: true } })
    expect(await statusOf(payment.id)).toBe('SUCCEEDED')
  })

  it('takes a quarter of a megabyte, and no more', async () => {
    const large = fromGateway('payment.blessed', { note: 'x'.repeat(256 * 1024) })
    expect(await deliver(large)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  })

  it('takes one whose id is a long text, and is cut where it is kept', async () => {
    const payment = await aPayment()
    const { id: reference, amount, currency } = payment
    const id = `${'x'.repeat(999)}😀`
    const data = { id: `txn_${reference}`, reference, amount, currency }
    expect(await deliver(fromGateway('payment.succeeded', data, { id }))).toMatchObject({ status: 200 })
    expect((await get(payment.id)).status).toBe('SUCCEEDED')
  })

  it('takes one that names more payments than a transaction has entries for', async () => {
    const disputed_transactions = Array.from({ length: 120 }, () => ({ seller_transaction_id: randomUUID() }))
    const event = {
      id: randomUUID(),
      event_type: 'CUSTOMER.DISPUTE.CREATED',
      resource: { dispute_id: randomUUID(), disputed_transactions },
    }
    const names = ['auth-algo', 'transmission-id', 'transmission-sig', 'transmission-time']
    const headers = {
      ...Object.fromEntries(names.map((name) => [`paypal-${name}`, 'x'])),
      'paypal-cert-url': 'https://api.paypal.com/certificate',
    }
    const verified = { access_token: 'token', expires_in: 900, verification_status: 'SUCCESS' }
    const paypal = async () => ({ status: 200, body: JSON.stringify(verified) })
    const providers = testProviders(SETTINGS, { http: paypal })
    const callback = { provider: 'paypal', headers, rawBody: JSON.stringify(event) }
    expect(await deliver(callback, { providers })).toMatchObject({ status: 200 })
  })

  it('acknowledges what it does not understand, so that it does not come again for days', async () => {
    expect(
      await deliver(fromStripe({ id: 'evt_1', type: 'charge.refunded', data: { object: {} } })),
    ).toMatchObject({ status: 200 })
    expect(await deliver(fromPaystack({ no: 'event' }))).toMatchObject({ status: 200 })
  })
})

describe('the same event', () => {
  it('makes one transition, fifty copies at a time', async () => {
    const payment = await aPayment()
    const callback = paid(payment)
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(callback)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const again = await Promise.all(Array.from({ length: 50 }, () => deliver(callback)))
    expect(new Set(again.map(({ text }) => text))).toEqual(new Set([answers[0]?.text]))
    expect(await moves(payment.id)).toMatchObject([
      { from: 'PENDING', to: 'SUCCEEDED', actor: 'provider:standard-webhooks', reason: 'payment.succeeded' },
    ])
    // Written once when it was opened, once when its checkout was, and once when it was paid.
    expect((await kept(payment.id)).find(({ kind }) => kind === 'payment')).toMatchObject({ version: 3 })
  })

  it('an event with another content under its id changes nothing', async () => {
    const payment = await aPayment()
    const other = await aPayment()
    await deliver(paid(payment, {}, { id: `msg_${payment.id}` }))
    const before = await get(payment.id)
    expect(await deliver(paid(other, {}, { id: `msg_${payment.id}` }))).toMatchObject({ status: 200 })
    const refund = fromGateway(
      'payment.refunded',
      { reference: payment.id, amount: 1, currency: 'EUR' },
      { id: `msg_${payment.id}` },
    )
    expect(await deliver(refund)).toMatchObject({ status: 200 })
    expect(await get(payment.id)).toEqual(before)
    expect(await statusOf(other.id)).toBe('PENDING')
  })

  it('sent again in other bytes, at another time, is no conflict and no second refund', async () => {
    const payment = await aPayment()
    await deliver(paid(payment))
    const refund = { reference: payment.id, amount: 550, currency: 'EUR' }
    const id = `msg_${randomUUID()}`
    await deliver(fromGateway('payment.refunded', refund, { id }))
    await deliver(
      fromGateway(
        'payment.refunded',
        { ...refund, note: 'again' },
        { id, timestamp: '2026-11-20T00:00:00Z' },
      ),
    )
    expect(await get(payment.id)).toMatchObject({ amountRefunded: 550, refunds: [{ amount: 550 }] })
  })

  it('sent again with another time to respond by is no conflict, and the first time stays', async () => {
    const payment = await aPayment()
    await deliver(paid(payment))
    const dispute = { reference: payment.id, amount: 550, currency: 'EUR' }
    const id = `msg_dispute_${payment.id}`
    const days = ['2026-12-20', '2026-12-21']
    for (const day of days) {
      const data = { ...dispute, respond_by: `${day}T10:00:00Z` }
      expect(await deliver(fromGateway('payment.disputed', data, { id }))).toMatchObject({ status: 200 })
    }
    const request = { token: await consoleToken(), params: { id: payment.id } }
    const { callbacks, disputes } = (await call(getPaymentInFull, request)).body
    expect(callbacks.map(({ status }) => status)).toEqual(['PROCESSED', 'PROCESSED'])
    expect(disputes).toMatchObject([{ respondBy: '2026-12-20T10:00:00.000Z' }])
  })

  it('about a refund with a very long reason is applied, and the reason is cut', async () => {
    const payment = await aPayment()
    await deliver(paid(payment))
    const reason = 'word '.repeat(1_000)
    const refund = { reference: payment.id, amount: 550, currency: 'EUR', reason }
    expect(await deliver(fromGateway('payment.refunded', refund))).toMatchObject({ status: 200 })
    expect(await get(payment.id)).toMatchObject({
      refunds: [{ amount: 550, reason: reason.slice(0, 2_000) }],
    })
  })
})

describe('money that does not match', () => {
  it.each([
    ['too little', { amount: 12_549 }],
    ['too much', { amount: 12_551 }],
    ['another currency', { currency: 'USD' }],
    ['a currency that there is not', { currency: 'QQQ' }],
  ])('does not pay: %s', async (_, wrong) => {
    const payment = await aPayment()
    expect(await deliver(paid(payment, wrong))).toMatchObject({ status: 200 })
    expect(await statusOf(payment.id)).toBe('PENDING')
    expect(await moves(payment.id)).toEqual([])
    await deliver(paid(payment))
    expect(await statusOf(payment.id)).toBe('SUCCEEDED')
  })

  it('is not given back: more than was paid, or another currency', async () => {
    const payment = await aPayment()
    await deliver(paid(payment))
    await deliver(fromGateway('payment.refunded', { reference: payment.id, amount: 12_551, currency: 'EUR' }))
    await deliver(fromGateway('payment.refunded', { reference: payment.id, amount: 1, currency: 'USD' }))
    expect(await get(payment.id)).toMatchObject({ status: 'SUCCEEDED', amountRefunded: 0, refunds: [] })
  })

  it('is not taken on the word of another provider', async () => {
    const payment = await aPayment({ provider: 'stripe' })
    expect(await deliver(paid(payment))).toMatchObject({ status: 200 })
    expect(await statusOf(payment.id)).toBe('PENDING')
  })
})

describe('a callback that overtakes our own write', () => {
  it('is applied when the payment appears', async () => {
    const providers = testProviders(SETTINGS, {
      http: async ({ body }) => {
        const id = new URLSearchParams(body).get('client_reference_id')
        // Stripe knows the session before we do, and tells of it by its own id alone.
        await deliver(
          stripeEvent('checkout.session.completed', { ...session('cs_fast'), payment_status: 'paid' }),
        )
        await deliver(
          stripeEvent('refund.created', {
            id: 're_fast',
            status: 'succeeded',
            payment_intent: 'pi_fast',
            amount: 50,
            currency: 'eur',
          }),
        )
        expect((await get(id ?? '')).status).toBe('PENDING')
        return {
          status: 200,
          body: JSON.stringify({
            ...session('cs_fast'),
            url: 'https://checkout.example/1',
            expires_at: 4_000_000_000,
          }),
        }
      },
    })
    const body = { ...draft, provider: 'stripe' }
    const created = await call(createPayment, { token: user.token, body, deps: { providers } })
    const { id }: PaymentView = created.body
    expect(await get(id)).toMatchObject({ status: 'PARTIALLY_REFUNDED', amountRefunded: 50 })
  })

  it('is applied when its id becomes known through another', async () => {
    const payment = await aPayment({ provider: 'stripe' })
    const intent = `pi_${payment.id}`
    const dispute = {
      id: 'du_1',
      payment_intent: intent,
      charge: 'ch_1',
      status: 'needs_response',
      metadata: {},
    }
    expect(await deliver(stripeEvent('charge.dispute.created', dispute))).toMatchObject({ status: 200 })
    expect(await statusOf(payment.id)).toBe('PENDING')
    await deliver(stripeEvent('checkout.session.completed', completed(payment, intent)))
    expect(await statusOf(payment.id)).toBe('DISPUTED')
    await deliver(stripeEvent('charge.dispute.closed', { ...dispute, status: 'won' }))
    expect(await statusOf(payment.id)).toBe('SUCCEEDED')
  })

  it('is applied once, however many copies wait', async () => {
    const payment = await aPayment({ provider: 'stripe' })
    const intent = `pi_${randomUUID()}`
    const dispute = stripeEvent('charge.dispute.created', {
      id: 'du_2',
      payment_intent: intent,
      status: 'lost',
    })
    await Promise.all([
      ...Array.from({ length: 10 }, () => deliver(dispute)),
      deliver(stripeEvent('checkout.session.completed', completed(payment, intent))),
    ])
    expect(await statusOf(payment.id)).toBe('CHARGED_BACK')
    expect((await moves(payment.id)).map(({ to }) => to)).toSatisfy((path: string[]) =>
      ['SUCCEEDED,CHARGED_BACK', 'CHARGED_BACK'].includes(path.join()),
    )
  })
})

describe('a life of five events', () => {
  const lives: [string, (payment: PaymentView) => SignedCallback[]][] = [
    [
      'stripe',
      (payment) => {
        const intent = `pi_${payment.id}`
        const refund = (id: string, amount: number) => ({
          id: `${id}_${payment.id}`,
          status: 'succeeded',
          payment_intent: intent,
          currency: 'eur',
          amount,
        })
        return [
          stripeEvent('payment_intent.payment_failed', {
            id: intent,
            currency: 'eur',
            metadata: { payment_id: payment.id },
          }),
          stripeEvent('checkout.session.completed', completed(payment, intent)),
          stripeEvent('refund.created', refund('re_1', 5_000)),
          stripeEvent('refund.updated', refund('re_2', 7_550)),
          stripeEvent('charge.dispute.created', {
            id: `du_${payment.id}`,
            payment_intent: intent,
            status: 'warning_closed',
          }),
        ]
      },
    ],
    [
      'standard-webhooks',
      (payment) => {
        const money = { reference: payment.id, amount: 12_550, currency: 'EUR' }
        return [
          fromGateway('payment.failed', money),
          fromGateway('payment.succeeded', money),
          fromGateway('payment.refunded', { ...money, amount: 5_000 }),
          fromGateway('payment.refunded', { ...money, amount: 7_550 }),
          fromGateway('payment.disputed', { ...money, status: 'won' }),
        ]
      },
    ],
  ]

  it.each(lives)('ends alike in whatever order: %s', async (provider, lifeOf) => {
    // Every fifth of the 120 orders, so that each event comes in each place; the fold is tested in all of them.
    const orders = permutations([0, 1, 2, 3, 4]).filter((_, place) => place % 5 === 0)
    const ends = await inBatches(orders, 12, async (order) => {
      const payment = await aPayment({ provider })
      const events = lifeOf(payment)
      for (const place of order) {
        const event = events[place]
        if (event) expect(await deliver(event)).toMatchObject({ status: 200 })
      }
      const { status, amountRefunded, failure } = await get(payment.id)
      return JSON.stringify({ status, amountRefunded, failure })
    })
    expect(orders).toHaveLength(24)
    expect(new Set(ends)).toEqual(new Set(['{"status":"REFUNDED","amountRefunded":12550,"failure":null}']))
  })
})

describe('paystack', () => {
  const nairas = { provider: 'paystack', currency: 'NGN', amount: 1_255_000 }

  // A refund's callback names no id that the API knows: what the API says of the transaction counts.
  it('pays, refunds and disputes by the reference we gave it', async () => {
    const payment = await aPayment(nairas)
    const reference = payment.id.replace('_', '-')
    const id = Number.parseInt(payment.id.slice(-6), 36)
    const charge = { id, reference, amount: 1_255_000, currency: 'NGN', metadata: '' }
    const refund = { id: 71, transaction: id, amount: 500_000, currency: 'NGN', status: 'pending' }
    const asked = async ({ url }: { url: string }) => {
      const { pathname } = new URL(url)
      const lists: Record<string, unknown> = { '/refund': [refund], '/dispute': [] }
      return {
        status: 200,
        body: JSON.stringify({ data: lists[pathname] ?? { ...charge, status: 'success' } }),
      }
    }
    const providers = testProviders(SETTINGS, { http: asked })
    await deliver(fromPaystack({ event: 'charge.success', data: { ...charge, status: 'success' } }))
    expect(await get(payment.id)).toMatchObject({ status: 'SUCCEEDED', providerReference: String(id) })
    const word = { transaction_reference: reference, amount: '500000', currency: 'NGN' }
    await deliver(fromPaystack({ event: 'refund.pending', data: { ...word, status: 'pending' } }), {
      providers,
    })
    expect(await get(payment.id)).toMatchObject({ amountRefunded: 0, refunds: [{ status: 'PENDING' }] })
    refund.status = 'processed'
    await deliver(fromPaystack({ event: 'refund.processed', data: { ...word, status: 'processed' } }), {
      providers,
    })
    expect(await get(payment.id)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      refunds: [{ status: 'SUCCEEDED' }],
    })
    const dispute = { id: 358_950, transaction: { id, reference } }
    const resolved = { ...dispute, resolution: 'merchant-accepted' }
    await deliver(fromPaystack({ event: 'charge.dispute.create', data: dispute }))
    expect(await statusOf(payment.id)).toBe('DISPUTED')
    await deliver(fromPaystack({ event: 'charge.dispute.resolve', data: resolved }))
    expect(await statusOf(payment.id)).toBe('CHARGED_BACK')
    // No word but the last has a time: a reminder that comes late says nothing new.
    await deliver(fromPaystack({ event: 'charge.dispute.remind', data: dispute }))
    expect(await statusOf(payment.id)).toBe('CHARGED_BACK')
  })

  it('counts XOF in hundredths, as no one else does', async () => {
    const payment = await aPayment({ provider: 'paystack', currency: 'XOF', amount: 1_500 })
    const charge = { id: 7, reference: payment.id, currency: 'XOF', amount: 150_000 }
    await deliver(fromPaystack({ event: 'charge.success', data: charge }))
    expect(await statusOf(payment.id)).toBe('SUCCEEDED')
  })
})

const stripeEvent = (type: string, object: object): SignedCallback =>
  fromStripe({ id: `evt_${randomUUID()}`, type, created: Math.floor(Date.now() / 1000), data: { object } })
const session = (id: string) => ({
  id,
  amount_total: 12_550,
  currency: 'eur',
  payment_intent: id.replace('cs_', 'pi_'),
})
const completed = (payment: PaymentView, intent: string) => ({
  ...session(payment.providerReference ?? ''),
  payment_status: 'paid',
  payment_intent: intent,
  client_reference_id: payment.id,
})

const permutations = <T>(items: T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

async function inBatches<T, R>(items: T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let start = 0; start < items.length; start += size) {
    done.push(...(await Promise.all(items.slice(start, start + size).map(work))))
  }
  return done
}
