import { describe, expect, it } from 'vitest'
import { ID } from './example.ts'
import { example } from './examples/cinetpay.ts'
import { orderOf, paymentOf, speakWith } from './speak.ts'

const { conversation } = example

describe('a check of cinetpay', () => {
  it.each([
    ['627', { status: 'REFUSED' }, [{ kind: 'cancelled' }]],
    ['600', { status: 'REFUSED' }, [{ kind: 'failed', final: true, code: 'SAID SO' }]],
    ['662', { status: 'PENDING' }, []],
  ])('says how the payment stands, whatever the status of the answer: %s', async (code, data, charges) => {
    const { provider } = await speakWith('cinetpay', conversation, {
      'POST /v2/payment/check': { status: 400, json: { code, message: 'SAID SO', data } },
    })
    const payment = paymentOf(conversation)
    expect(await provider.readPayment?.({ references: [ID], payment })).toMatchObject({ charges })
  })
})

describe('a start of cinetpay', () => {
  it('that refuses our own key is no refusal of the payment', async () => {
    const { provider } = await speakWith('cinetpay', conversation, {
      'POST /v2/payment': { status: 400, json: { code: '609', message: 'AUTH_NOT_FOUND' } },
    })
    const started = provider.start(orderOf(conversation))
    await expect(started).rejects.toMatchObject({ code: 'provider_unavailable' })
  })

  it('sends no name and country that are not known', async () => {
    const { provider, api } = await speakWith('cinetpay', conversation)
    await provider.start({ ...orderOf(conversation), name: null, country: null })
    const sent = Object.keys(JSON.parse(api.requests[0]?.body ?? '{}'))
    expect(sent.filter((key) => key.startsWith('customer_'))).toEqual([
      'customer_email',
      'customer_phone_number',
    ])
  })
})
