import { describe, expect, it } from 'vitest'
import { timestamp } from '#lib/kernel/clock'
import { ID, KEY, NOW } from './example.ts'
import { example } from './examples/midtrans.ts'
import { expectSent, orderOf, paymentOf, refundOf, speakWith } from './speak.ts'

const { conversation } = example
const STATUS = `GET /v2/${ID}/status`
const settled = conversation.script[STATUS] as object

const reading = async (transaction: object, payment = paymentOf(conversation)) => {
  const { provider } = await speakWith('midtrans', conversation, { [STATUS]: { ...settled, ...transaction } })
  return provider.readPayment?.({ references: [ID], payment })
}

describe('a refund of midtrans', () => {
  it.each([
    ['200', { state: 'succeeded', providerRefundId: KEY }],
    ['201', { state: 'pending', providerRefundId: KEY }],
    ['412', { state: 'failed', providerRefundId: null }],
    ['401', 'provider_unavailable'],
    ['429', 'provider_unavailable'],
    ['500', 'provider_unavailable'],
  ])('stands as the body says, whatever the status: %s', async (status_code, outcome) => {
    const { provider } = await speakWith('midtrans', conversation, {
      [`POST /v2/${ID}/refund/online/direct`]: { status_code },
    })
    const answer = await provider.startRefund?.(refundOf(conversation)).catch(({ code }) => code)
    expect(answer).toEqual(outcome)
  })

  it.each([
    ['gopay', 'refund/online/direct'],
    ['credit_card', 'refund'],
    ['dana', 'refund'],
  ])('goes the way that its method takes: %s', async (payment_type, way) => {
    const at = `/v2/${ID}/${way}`
    const { provider, api } = await speakWith('midtrans', conversation, {
      [STATUS]: { ...settled, payment_type },
      [`POST ${at}`]: { status_code: '200' },
    })
    await provider.startRefund?.(refundOf(conversation))
    expectSent(api, 'POST', { at, body: { refund_key: KEY } })
  })
})

describe('a listed refund of midtrans', () => {
  it.each([
    ['the longest reason of an administrator', '😀'.repeat(1000), '😀'.repeat(1000)],
    ['a longer one of the dashboard', 'a'.repeat(5000), 'a'.repeat(2000)],
  ])('is read with %s', async (_, reason, kept) => {
    const refunds = [{ refund_amount: '100.00', refund_key: KEY, reason }]
    expect(await reading({ transaction_status: 'partial_refund', refunds })).toMatchObject({
      refunds: [{ reason: kept, state: 'succeeded' }],
    })
  })
})

describe('a published sample of midtrans', () => {
  // Midtrans docs, "Get Transaction Status on Card", under the order of this conversation.
  it('names no currency for a card that was given back in part', async () => {
    const sample = {
      status_code: '200',
      status_message: 'Success, refund request is approved by the bank',
      transaction_id: '249fc620-6017-4540-af7c-5a1c25788f46',
      order_id: ID,
      payment_type: 'credit_card',
      transaction_time: '2015-02-26 14:39:33',
      transaction_status: 'partial_refund',
      fraud_status: 'accept',
      gross_amount: '30000.00',
      refund_amount: '12000.00',
      currency: undefined,
      refunds: [{ refund_chargeback_id: 1, refund_amount: '12000.00', refund_key: 'reference1' }],
    }
    expect(await reading(sample)).toMatchObject({
      references: [ID, sample.transaction_id],
      charges: [{ money: { amount: 3_000_000, currency: 'IDR' }, at: '2015-02-26T07:39:33.000Z' }],
      refunds: [{ providerRefundId: 'reference1', money: { amount: 1_200_000, currency: 'IDR' } }],
      disputes: [],
    })
  })

  it('brings its rupiah where its currency is null', async () => {
    expect(await reading({ currency: null })).toMatchObject({ charges: [{ money: { currency: 'IDR' } }] })
  })

  // Midtrans docs, "Expire transaction": two of the answers that mean that it has expired.
  it.each([
    { status_code: '407', transaction_status: 'expire' },
    { status_code: '202', transaction_status: 'expire' },
  ])('of a transaction that has expired closes the page: %j', async (expired) => {
    const { provider } = await speakWith('midtrans', conversation, {
      [`POST /v2/${ID}/expire`]: expired,
      [STATUS]: { ...settled, ...expired },
    })
    expect(await provider.close?.(paymentOf(conversation))).toBe(true)
  })
})

describe('a declined transaction of midtrans', () => {
  const denied = { transaction_id: 'a-try', transaction_status: 'deny', status_code: '202', refunds: [] }

  it('stays open while another way to pay can be chosen on the page', async () => {
    expect(await reading(denied)).toMatchObject({ charges: [{ kind: 'failed', final: false }] })
  })

  it('is the end once the page has closed', async () => {
    const payment = { ...paymentOf(conversation), checkout: { url: null, expiresAt: timestamp(NOW) } }
    expect(await reading(denied, payment)).toMatchObject({ charges: [{ kind: 'failed', final: true }] })
  })
})

describe('money that midtrans takes back by a state of the transaction', () => {
  const paidBefore = { ...paymentOf(conversation), status: 'SUCCEEDED' as const }
  const came = { kind: 'succeeded', money: { amount: 12_550_000, currency: 'IDR' }, chargeId: '57d5' }

  it('is lost where a settled transfer is denied minutes later', async () => {
    const denied = { transaction_status: 'deny', status_code: '202', payment_type: 'echannel', refunds: [] }
    expect(await reading(denied, paidBefore)).toMatchObject({
      charges: [came],
      refunds: [],
      disputes: [{ disputeId: '57d5', state: 'lost', money: came.money, chargeId: '57d5', reason: 'deny' }],
    })
  })

  it('is a refund of the whole where a captured card is cancelled before it settles', async () => {
    const cancelled = { transaction_status: 'cancel', payment_type: 'credit_card', refunds: [] }
    expect(await reading(cancelled, paidBefore)).toMatchObject({
      charges: [came],
      refunds: [{ providerRefundId: '57d5:cancel', state: 'succeeded', money: came.money, chargeId: '57d5' }],
      disputes: [],
    })
  })

  it('is none where the transaction had never paid', async () => {
    const cancelled = { transaction_id: 'another', transaction_status: 'cancel', refunds: [] }
    expect(await reading(cancelled)).toMatchObject({ charges: [{ kind: 'cancelled' }], refunds: [] })
  })
})

describe('a pending transaction of midtrans', () => {
  const pending = { transaction_status: 'pending', status_code: '201', refunds: [] }

  it('is under way when the payer has a number to pay to', async () => {
    expect(await reading({ ...pending, payment_type: 'bank_transfer' })).toMatchObject({
      charges: [{ kind: 'processing' }],
    })
  })

  it('has no statement while a card is typed in', async () => {
    expect(await reading({ ...pending, payment_type: 'credit_card' })).toMatchObject({ charges: [] })
  })
})

describe('a chargeback of midtrans', () => {
  it('has taken the whole, where no part is named', async () => {
    expect(await reading({ transaction_status: 'chargeback', refunds: [] })).toMatchObject({
      charges: [{ kind: 'succeeded' }],
      disputes: [{ disputeId: '57d5', state: 'lost', money: null, chargeId: '57d5' }],
    })
  })

  it('has taken the part that is listed without a key, and is no refund', async () => {
    const refunds = [{ refund_chargeback_id: 9, refund_amount: '30000.00' }]
    expect(await reading({ transaction_status: 'partial_chargeback', refunds })).toMatchObject({
      refunds: [],
      disputes: [{ disputeId: '57d5', state: 'lost', money: { amount: 3_000_000, currency: 'IDR' } }],
    })
  })
})

describe('a page of midtrans', () => {
  it('is no refusal where another request has made it for the order', async () => {
    const { provider } = await speakWith('midtrans', conversation, {
      'POST /snap/v1/transactions': {
        status: 400,
        json: { error_messages: ['transaction_details.order_id has already been taken'] },
      },
    })
    const started = provider.start(orderOf(conversation))
    await expect(started).rejects.toMatchObject({ code: 'provider_unavailable' })
  })

  it('is closed when its transaction has expired before', async () => {
    const { provider } = await speakWith('midtrans', conversation, {
      [`POST /v2/${ID}/expire`]: { status_code: '412' },
      [STATUS]: { ...settled, transaction_status: 'expire', status_code: '407' },
    })
    expect(await provider.close?.(paymentOf(conversation))).toBe(true)
  })
})
