import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as listCallbacks } from '#functions/payments/list-callbacks'
import { providerHttp } from '#lib/providers/http'
import { call } from '#test/support/call'
import { deliver, fromStripe } from '#test/support/callbacks'
import { aCustomer } from '#test/support/enquiries'
import { consoleToken } from '#test/support/given'
import { aPayment } from '#test/support/payments'
import { SETTINGS, testProviders } from '#test/support/providers'
import { type StandIn, startStandIn } from '#test/support/stand-in'
import { ID } from './example.ts'
import { example } from './examples/stripe.ts'
import { paymentOf, speakWith } from './speak.ts'

const { conversation } = example
const UNPAID = {
  id: 'cs_1',
  status: 'complete',
  payment_status: 'unpaid',
  client_reference_id: ID,
  payment_intent: 'pi_1',
}

const interpret = async (type: string, object: object) => {
  const { provider } = await speakWith('stripe', conversation)
  const rawBody = Buffer.from(JSON.stringify({ id: 'evt_1', type, created: 1_795_000_000, data: { object } }))
  const events = await provider.interpret({ method: 'POST', headers: {}, rawQuery: '', rawBody })
  return events[0]?.statement
}

describe('a try to pay at stripe', () => {
  const intent = { id: 'pi_1', latest_charge: 'ch_1' }

  it('is known by its charge, so that its failure ends it and no other', async () => {
    expect(await interpret('payment_intent.processing', intent)).toMatchObject({
      kind: 'processing',
      tryId: 'ch_1',
    })
    expect(await interpret('payment_intent.payment_failed', intent)).toMatchObject({
      kind: 'failed',
      final: false,
      tryId: 'ch_1',
    })
  })
})

describe('a delayed payment of stripe', () => {
  it.each([
    [{ status: 'processing' }, { kind: 'processing' }],
    [{ status: 'canceled' }, { kind: 'cancelled' }],
    [
      {
        status: 'requires_payment_method',
        last_payment_error: { code: 'payment_intent_payment_attempt_failed', message: 'The debit failed.' },
      },
      { kind: 'failed', final: true, code: 'payment_intent_payment_attempt_failed' },
    ],
  ])('goes by its intent, since its session stays complete and unpaid: %j', async (intent, charge) => {
    const { provider } = await speakWith('stripe', conversation, {
      'GET /v1/checkout/sessions/cs_1': UNPAID,
      'GET /v1/payment_intents/pi_1': { id: 'pi_1', ...intent },
    })
    const payment = paymentOf(conversation)
    const reading = await provider.readPayment?.({ references: payment.references, payment })
    expect(reading).toMatchObject({ references: [ID, 'cs_1', 'pi_1'], charges: [charge] })
  })
})

let api: StandIn | undefined
afterEach(() => api?.close())

/** A paid payment of a Stripe that says what a charge costs now and what was given back. */
async function aPaidSession() {
  const now = { fee: 300, refunds: [] as object[] }
  const session = `cs_${randomUUID()}`
  let own = ''
  api = await startStandIn(({ method, path }) => {
    if (method === 'POST')
      return { json: { id: session, url: 'https://pay.example/1', expires_at: 1_900_000_000 } }
    if (path.startsWith('/v1/checkout/sessions')) return { json: { ...paid(), status: 'complete' } }
    if (path.startsWith('/v1/refunds')) return { json: { data: now.refunds } }
    if (path.startsWith('/v1/charges'))
      return {
        json: { data: [{ id: 'ch', balance_transaction: { id: 'txn', fee: now.fee, currency: 'eur' } }] },
      }
    return path.startsWith('/v1/disputes') ? { json: { data: [] } } : undefined
  })
  const paid = () => ({
    id: session,
    client_reference_id: own,
    payment_status: 'paid',
    amount_total: 12_550,
    currency: 'eur',
    payment_intent: `pi_${own}`,
  })
  const settings = { stripe: { ...SETTINGS['stripe'], apiBase: api.url } }
  const providers = testProviders(settings, { http: providerHttp })
  const { id } = await aPayment(await aCustomer(), { provider: 'stripe' }, providers)
  own = id
  const send = async (eventId: string, type: string, object: object = paid()) => {
    const event = { id: eventId, type, created: Math.floor(Date.now() / 1000), data: { object } }
    expect(await deliver(fromStripe(event), { providers })).toMatchObject({ status: 200 })
    return (await call(getPaymentInFull, { token: await consoleToken(), params: { id } })).body
  }
  const statusesOf = async (eventId: string) => {
    const query = { limit: '100', provider: 'stripe' }
    const { body } = await call(listCallbacks, { token: await consoleToken(), query })
    return body.items.filter((each) => each.eventId.startsWith(eventId)).map(({ status }) => status)
  }
  const charge = { id: `ch_${id}`, payment_intent: `pi_${id}`, metadata: { payment_id: id } }
  return { id, now, charge, send, statusesOf }
}

describe('an event of stripe that only points at a payment', () => {
  it('leaves a CONFLICT under an id that was used, and changes nothing', async () => {
    const { id, now, charge, send, statusesOf } = await aPaidSession()
    await send(`evt_${id}`, 'checkout.session.completed')
    now.refunds = [{ id: 're_1', status: 'succeeded', amount: 50, currency: 'eur' }]
    expect(await send(`evt_${id}`, 'charge.refunded', charge)).toMatchObject({
      status: 'SUCCEEDED',
      amountRefunded: 0,
    })
    expect((await statusesOf(`evt_${id}`)).toSorted()).toEqual(['CONFLICT', 'PROCESSED'])
  })

  it('is kept once, however often it comes', async () => {
    const { id, now, charge, send, statusesOf } = await aPaidSession()
    await send(`evt_a${id}`, 'checkout.session.completed')
    now.refunds = [{ id: 're_1', status: 'succeeded', amount: 50, currency: 'eur' }]
    for (const _ of [1, 2])
      expect(await send(`evt_b${id}`, 'charge.refunded', charge)).toMatchObject({ amountRefunded: 50 })
    expect(await statusesOf(`evt_b${id}`)).toEqual(['PROCESSED'])
  })
})

describe('what stripe keeps of a charge', () => {
  it('is booked once it is known, and corrected where it changes', async () => {
    const { id, now, charge, send } = await aPaidSession()
    await send(`evt_a${id}`, 'checkout.session.completed')
    const costsAfter = async (eventId: string) => {
      const { ledger } = (await send(eventId, 'charge.refunded', charge)) as {
        ledger: { account: string; amount: number }[]
      }
      expect(ledger.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
      return ledger.filter(({ account }) => account === 'fees').reduce((sum, { amount }) => sum + amount, 0)
    }
    expect(await costsAfter(`evt_b${id}`)).toBe(300)
    now.fee = 312
    expect(await costsAfter(`evt_c${id}`)).toBe(312)
    now.fee = 300
    expect(await costsAfter(`evt_d${id}`)).toBe(300)
  })
})
