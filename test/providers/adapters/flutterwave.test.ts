import { expect, it } from 'vitest'
import { ID } from './example.ts'
import { example } from './examples/flutterwave.ts'
import { paymentOf, speakWith } from './speak.ts'

const { conversation } = example
const interpret = async (body: object) => {
  const { provider } = await speakWith('flutterwave', conversation)
  const rawBody = Buffer.from(JSON.stringify(body))
  const [event] = await provider.interpret({ method: 'POST', rawBody, headers: {}, rawQuery: '' })
  return event
}

it('a chargeback of flutterwave points at the transaction that it is about', async () => {
  const data = { id: 1390, amount: 100, flw_ref: 'FLW-1', status: 'initiated', stage: 'new' }
  expect(await interpret({ event: 'chargeback.initiated', data })).toEqual({
    eventId: 'chargeback.initiated:1390:initiated',
    type: 'chargeback.initiated',
    references: ['FLW-1'],
    statement: null,
  })
})

it('a refund of flutterwave points at the charge, and not by a reference of its own', async () => {
  const data = { id: 'rfd_1', flw_ref: 'URF_1', charge_id: 'chg_1', status: 'succeeded' }
  expect(await interpret({ webhook_id: 'wbk_1', type: 'refund.completed', data })).toEqual({
    eventId: 'wbk_1',
    type: 'refund.completed',
    references: ['chg_1'],
    statement: null,
  })
})

it('an account of flutterwave that may not list chargebacks shows none', async () => {
  const payment = paymentOf(conversation)
  const { provider } = await speakWith('flutterwave', conversation, {
    'GET /v3/chargebacks?flw_ref=FLW-1&page=1': { status: 403, json: { status: 'error' } },
  })
  expect(await provider.readPayment?.({ references: payment.references, payment })).toMatchObject({
    charges: [{ chargeId: '4081' }],
    disputes: [],
  })
})

it('an account of flutterwave that may not list refunds is not read, since none would look like a lost one', async () => {
  const payment = paymentOf(conversation)
  const { provider } = await speakWith('flutterwave', conversation, {
    'GET /v3/refunds?from=2026-11-18&page=1': { status: 403, json: { status: 'error' } },
  })
  const reading = provider.readPayment?.({ references: payment.references, payment })
  await expect(reading).rejects.toMatchObject({ code: 'provider_unavailable' })
})

it('a second charge of flutterwave is found by our reference, oldest first, though its callback was lost', async () => {
  const paid = { tx_ref: ID, amount: 12_550, currency: 'NGN', status: 'successful' }
  const { provider } = await speakWith('flutterwave', {
    script: {
      [`GET /v3/transactions?tx_ref=${ID}&page=1`]: {
        data: [{ ...paid, id: 12 }],
        meta: { page_info: { total_pages: 2 } },
      },
      [`GET /v3/transactions?tx_ref=${ID}&page=2`]: {
        data: [{ ...paid, id: 11 }],
        meta: { page_info: { total_pages: 2 } },
      },
      'GET /v3/refunds?page=1': { data: [] },
    },
  })
  const payment = { ...paymentOf(conversation), references: [] }
  expect(await provider.readPayment?.({ references: [ID], payment })).toMatchObject({
    charges: [{ chargeId: '11' }, { chargeId: '12' }],
  })
})

it('a transaction of flutterwave is verified by our reference where the list does not hold it yet', async () => {
  const data = { id: 13, tx_ref: ID, amount: 12_550, currency: 'NGN', status: 'pending' }
  const { provider } = await speakWith('flutterwave', {
    script: {
      [`GET /v3/transactions?tx_ref=${ID}&page=1`]: { data: [] },
      [`GET /v3/transactions/verify_by_reference?tx_ref=${ID}`]: { data },
    },
  })
  const payment = { ...paymentOf(conversation), references: [] }
  expect(await provider.readPayment?.({ references: [ID], payment })).toMatchObject({
    charges: [{ kind: 'processing', tryId: '13' }],
  })
})
