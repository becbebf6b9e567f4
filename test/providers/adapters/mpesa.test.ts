import { describe, expect, it } from 'vitest'
import { timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import { ID } from './example.ts'
import { example } from './examples/mpesa.ts'
import { orderOf, paymentOf, speakWith } from './speak.ts'

const { conversation } = example
const QUERY = 'POST /mpesa/stkpushquery/v1/query'
const question = { references: ['ws_CO_1', ID], payment: paymentOf(conversation) }

describe('a prompt of mpesa', () => {
  it.each([
    ['a 500 that says so', { status: 500, json: { errorMessage: 'The transaction is being processed' } }],
    ['a result code', { ResultCode: '4999' }],
  ])('is open as long as the query says so: %s', async (_, answer) => {
    const { provider } = await speakWith('mpesa', conversation, { [QUERY]: answer })
    const reading = await provider.readPayment?.(question)
    expect(reading).toMatchObject({ references: [ID, 'ws_CO_1'], charges: [] })
  })

  it.each([
    [1032, [{ kind: 'cancelled' }]],
    [2001, [{ kind: 'failed', final: true, code: '2001' }]],
  ])('ends once: %i', async (ResultCode, charges) => {
    const { provider } = await speakWith('mpesa', conversation, { [QUERY]: { ResultCode } })
    expect(await provider.readPayment?.(question)).toMatchObject({ charges })
  })
})

describe('the account of mpesa', () => {
  const REQUEST = '/mpesa/stkpush/v1/processrequest'
  const sent = async (more: object) => {
    const { provider, api } = await speakWith('mpesa', conversation, {}, undefined, more)
    await provider.start(orderOf(conversation))
    return JSON.parse(api.requests.find(({ path }) => path === REQUEST)?.body ?? '{}')
  }

  it('is a pay bill, or a till with a number of its own that gets the money', async () => {
    expect(await sent({})).toMatchObject({
      TransactionType: 'CustomerPayBillOnline',
      BusinessShortCode: '174379',
      PartyB: '174379',
    })
    expect(await sent({ till: '5217430' })).toMatchObject({
      TransactionType: 'CustomerBuyGoodsOnline',
      BusinessShortCode: '174379',
      PartyB: '5217430',
    })
  })
})

describe('a callback of mpesa', () => {
  it('is known by its request and result, whatever sum a stranger claims', async () => {
    const { provider } = await speakWith('mpesa', conversation)
    const events = [1, 1255].map((Value) => {
      const CallbackMetadata = { Item: [{ Name: 'Amount', Value }] }
      const stkCallback = { CheckoutRequestID: 'ws_CO_1', ResultCode: 0, CallbackMetadata }
      const rawBody = Buffer.from(JSON.stringify({ Body: { stkCallback } }))
      return provider.interpret({ method: 'POST', rawBody, headers: {}, rawQuery: '' })
    })
    const ids = (await Promise.all(events)).flat().map(({ eventId }) => eventId)
    expect(ids).toEqual(['ws_CO_1:0', 'ws_CO_1:0'])
  })
})

describe('a token of mpesa', () => {
  const logins = (requests: { path: string }[]) => requests.filter(({ path }) => path.startsWith('/oauth'))

  it('is kept for its life', async () => {
    const { provider, api } = await speakWith('mpesa', conversation)
    for (const _ of [1, 2]) await provider.readPayment?.(question)
    expect(logins(api.requests)).toHaveLength(1)
  })

  it('is asked for again once it is refused, by a 404 that does not mean an unknown payment', async () => {
    const json = { errorCode: '404.001.03', errorMessage: 'Invalid Access Token' }
    const { provider, api } = await speakWith('mpesa', conversation, { [QUERY]: { status: 404, json } })
    // A refused token says nothing of the payment: it is no answer that the payment is unknown.
    for (const _ of [1, 2]) {
      await expect(provider.readPayment?.(question)).rejects.toMatchObject({ code: 'provider_unavailable' })
    }
    expect(logins(api.requests)).toHaveLength(2)
  })
})

describe('a token that Daraja refuses with a 400', () => {
  // Daraja's error codes: "400.003.01 Invalid Access Token".
  const refused = { status: 400, json: { errorCode: '400.003.01', errorMessage: 'Invalid Access Token' } }

  it('fails no payment', async () => {
    const script = { 'POST /mpesa/stkpush/v1/processrequest': refused }
    const { provider, api } = await speakWith('mpesa', conversation, script)
    for (const _ of [1, 2]) {
      const started = provider.start(orderOf(conversation))
      await expect(started).rejects.toMatchObject({ code: 'provider_unavailable' })
    }
    expect(api.requests.filter(({ path }) => path.startsWith('/oauth'))).toHaveLength(2)
  })

  it('fails no payout', async () => {
    const script = { 'POST /mpesa/b2c/v3/paymentrequest': refused }
    const paysOut = { payouts: true, initiatorName: 'platform', securityCredential: 'sealed' }
    const { provider } = await speakWith('mpesa', conversation, script, undefined, paysOut)
    const paid = provider.payouts?.start({
      id: newId('payout'),
      amount: 100_000,
      currency: 'KES',
      country: 'KE',
      reference: null,
      sentAt: timestamp(new Date()),
      target: { method: 'mobile_money', holder: 'Awa', phone: '+254708374149', network: 'mpesa' },
    })
    await expect(paid).rejects.toMatchObject({ code: 'provider_unavailable' })
  })
})

describe('what mpesa takes at once', () => {
  it('is whole shillings, from one to 250,000', async () => {
    const { provider } = await speakWith('mpesa', conversation)
    expect(provider.limits).toEqual({ KES: { min: 100, max: 25_000_000 } })
    expect(provider.refuses?.({ amount: 12_550, currency: 'KES' })).toContain('whole number')
  })
})
