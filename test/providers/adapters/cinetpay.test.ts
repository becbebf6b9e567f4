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
  it.each([
    ['609', 'AUTH_NOT_FOUND'],
    ['624', 'An error occurred while processing the request'],
    ['625', 'ABONNEMENT_OR_TRANSACTIONS_EXPIRED'],
  ])('that refuses our own key or site is no refusal of the payment: %s', async (code, message) => {
    const { provider } = await speakWith('cinetpay', conversation, {
      'POST /v2/payment': { status: 400, json: { code, message } },
    })
    const started = provider.start(orderOf(conversation))
    await expect(started).rejects.toMatchObject({ code: 'provider_unavailable' })
  })

  // CinetPay docs, "Code table": 624 for card details without the address and the town.
  it.each([
    [{ name: null }, []],
    [{ country: null }, []],
    [{ name: 'Awa' }, ['address', 'city', 'country', 'email', 'name', 'phone_number', 'state', 'surname']],
  ])('sends all details of the payer that a card form needs, or none: %j', async (known, sent) => {
    const { provider, api } = await speakWith('cinetpay', conversation)
    await provider.start({ ...orderOf(conversation), ...known })
    const fields = Object.keys(JSON.parse(api.requests[0]?.body ?? '{}'))
    const details = fields.flatMap((key) => key.match(/^customer_(.+)/)?.[1] ?? [])
    expect(details.sort()).toEqual(sent)
  })
})
