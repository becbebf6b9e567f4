import { describe, expect, it } from 'vitest'
import { deliver } from '#test/support/callbacks'
import { testProviders } from '#test/support/providers'
import { ID, NOW } from './example.ts'
import { example } from './examples/wave.ts'
import { paymentOf, refundOf, speakWith } from './speak.ts'

const { conversation, sign } = example

describe('the age of what wave signs', () => {
  it.each([
    [0, 200],
    [300, 200],
    [301, 401],
  ])('of %i s answers %i', async (age, status) => {
    if (sign === 'unsigned') throw new Error('Wave signs')
    const sample = { id: 'EV_1', type: 'test.test_event', data: {} }
    const signed = sign('wave_secret', sample, NOW.getTime() / 1000 - age)
    const now = () => NOW
    const answer = await deliver(
      { provider: 'wave', ...signed },
      { providers: testProviders(undefined, { now }), now },
    )
    expect(answer).toMatchObject({ status })
  })
})

describe('a session of wave', () => {
  const session = { id: 'cos-1', amount: '12550', currency: 'XOF', client_reference: ID }
  const reading = async (state: object, references = ['cos-1']) => {
    const { provider } = await speakWith('wave', {
      script: {
        'GET /v1/checkout/sessions/cos-1': { ...session, ...state },
        [`GET /v1/checkout/sessions/search?client_reference=${ID}`]: { result: [{ ...session, ...state }] },
      },
    })
    const payment = { ...paymentOf(conversation), references }
    return provider.readPayment?.({ references: [ID, ...references], payment })
  }

  it.each([
    ['is open', { checkout_status: 'open', payment_status: 'processing' }, []],
    [
      'is open after a try that was refused',
      { checkout_status: 'open', last_payment_error: { code: 'insufficient-funds' } },
      [{ kind: 'failed', final: false }],
    ],
    ['is over', { checkout_status: 'complete', payment_status: 'cancelled' }, [{ kind: 'cancelled' }]],
    [
      'has expired',
      { checkout_status: 'expired', last_payment_error: { code: 'insufficient-funds' } },
      [{ kind: 'expired' }],
    ],
  ])('says how the payment stands: it %s', async (_, state, charges) => {
    expect(await reading(state)).toMatchObject({ charges, refunds: [] })
  })

  it('is found by our id where the answer with its own was lost', async () => {
    const paid = await reading({ payment_status: 'succeeded' }, [])
    expect(paid).toMatchObject({ references: [ID, 'cos-1'], charges: [{ chargeId: 'cos-1' }] })
  })

  it('is closed when it has expired before', async () => {
    const { provider } = await speakWith('wave', conversation, {
      'POST /v1/checkout/sessions/cos-1/expire': { status: 409, json: {} },
      'GET /v1/checkout/sessions/cos-1': { ...session, checkout_status: 'expired' },
    })
    expect(await provider.close?.(paymentOf(conversation))).toBe(true)
  })

  it('is found in a search that answers with the sessions alone, too', async () => {
    const { provider } = await speakWith('wave', {
      script: {
        [`GET /v1/checkout/sessions/search?client_reference=${ID}`]: [
          { ...session, payment_status: 'succeeded' },
        ],
      },
    })
    const payment = { ...paymentOf(conversation), references: [] }
    expect(await provider.readPayment?.({ references: [ID], payment })).toMatchObject({
      charges: [{ chargeId: 'cos-1' }],
    })
  })

  it.each([
    [400, 'checkout-refund-failed', { state: 'failed', providerRefundId: null }],
    [409, 'checkout-refund-failed', { state: 'failed', providerRefundId: null }],
    [409, 'idempotency-mismatch', { code: 'provider_unavailable' }],
  ])('whose refund is answered %i %s', async (status, code, outcome) => {
    const { provider } = await speakWith('wave', conversation, {
      'POST /v1/checkout/sessions/cos-1/refund': { status, json: { code, message: 'said so' } },
    })
    const answer = await provider.startRefund?.(refundOf(conversation)).catch((error: unknown) => error)
    expect(answer).toMatchObject(outcome)
  })

  it('is given back whole or not at all', async () => {
    const { provider } = await speakWith('wave', conversation)
    expect(provider.refundsWholeOnly).toBe(true)
  })
})
