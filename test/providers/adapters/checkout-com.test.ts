import { describe, expect, it } from 'vitest'
import type { DomainError } from '#lib/kernel/domain-error'
import { EXPIRES_AT, ID, type Script } from './example.ts'
import { example } from './examples/checkout-com.ts'
import { paymentOf, refundOf, speakWith } from './speak.ts'

const { conversation } = example

const reading = async (changes: Script) => {
  const { provider } = await speakWith('checkout-com', conversation, changes)
  const payment = paymentOf(conversation)
  return provider.readPayment?.({ references: payment.references, payment })
}

const interpret = async (type: string, data: object) => {
  const { provider } = await speakWith('checkout-com', conversation)
  const event = { id: 'evt_1', type, created_on: EXPIRES_AT, data }
  const request = {
    method: 'POST',
    headers: {},
    rawQuery: '',
    rawBody: Buffer.from(JSON.stringify(event)),
  }
  return (await provider.interpret(request))[0]
}

/** Checkout.com docs, "Event types"; the sample of an arbitration that was won. */
const DISPUTED = {
  id: 'dsp_9rjdlsd4epepfjyyf9vl',
  date: '2018-07-06T11:19:20Z',
  category: 'canceled_recurring',
  amount: 20_020,
  currency: 'USD',
  reason_code: '10.4',
  payment_id: 'pay_cnhuomagalglgozxy5zm',
  payment_action_id: 'act_7B15779D173D0W45700D',
  payment_reference: 'some-company-ref',
  payment_method: 'Visa',
}

describe('a dispute of checkout-com', () => {
  it.each([
    ['evidence_required', 'open'],
    ['arbitration_sent_to_scheme', 'open'],
    ['arbitration_won', 'won'],
    ['arbitration_lost', 'lost'],
    ['won', 'won'],
    ['resolved', 'won'],
    ['canceled', 'won'],
    ['lost', 'lost'],
    ['accepted', 'lost'],
    ['expired', 'lost'],
  ])('that is %s is %s, by its event and by reading it', async (status, state) => {
    expect(await interpret(`dispute_${status}`, DISPUTED)).toMatchObject({
      references: ['some-company-ref', 'pay_cnhuomagalglgozxy5zm'],
      statement: { state, disputeId: DISPUTED.id, chargeId: DISPUTED.payment_id },
    })
    const listed = { total_count: 1, data: [{ ...DISPUTED, status }] }
    const answer = { 'GET /disputes?payment_id=pay_2&limit=250&skip=0': listed }
    expect((await reading(answer))?.disputes).toMatchObject([{ state, disputeId: DISPUTED.id }])
  })
})

describe('a try on the page of checkout-com', () => {
  const page = (status: string): Script => ({
    'GET /hosted-payments/hpp_1': { id: 'hpp_1', status },
    [`GET /payments?reference=${ID}&limit=100&skip=0`]: { data: [] },
  })
  const tried = (status: string) => ({ 'GET /payments/pay_1': { id: 'pay_1', status, reference: ID } })

  it.each(['Declined', 'Canceled', 'Expired'])('ends nothing while the page is open: %s', async (status) => {
    expect((await reading({ ...page('Payment Pending'), ...tried(status) }))?.charges).toMatchObject([
      { kind: 'failed', final: false },
    ])
    const event = `payment_${status.toLowerCase()}`
    expect(await interpret(event, { id: 'pay_1', reference: ID })).toMatchObject({
      references: [ID],
      statement: { kind: 'failed', final: false, code: event },
    })
  })

  it.each(['Declined', 'Canceled', 'Expired'])('is over with the page: %s', async (status) => {
    expect((await reading({ ...page('Expired'), ...tried(status) }))?.charges).toMatchObject([
      { kind: 'expired' },
    ])
  })
})

describe('a payment of checkout-com', () => {
  const paid = { status: 'Captured', reference: ID, amount: 12_550, currency: 'EUR' }

  it('has a second charge that is found by our reference, though its callback was lost', async () => {
    const found = await reading({
      [`GET /payments?reference=${ID}&limit=100&skip=0`]: { total_count: 2, data: [{ id: 'pay_2' }] },
      [`GET /payments?reference=${ID}&limit=100&skip=1`]: { total_count: 2, data: [{ id: 'pay_3' }] },
      'GET /payments/pay_3': { id: 'pay_3', ...paid },
    })
    expect(found?.charges).toMatchObject([{ chargeId: 'pay_2' }, { chargeId: 'pay_3' }])
  })

  it('is read by its page where the key may not list payments', async () => {
    const forbidden = { status: 403, json: {} }
    const found = await reading({ [`GET /payments?reference=${ID}&limit=100&skip=0`]: forbidden })
    expect(found?.charges).toMatchObject([{ chargeId: 'pay_2' }])
  })

  it.each([
    ['its balance', { balances: { total_captured: 5_000 } }, []],
    ['its captures', {}, [3_000, 2_000]],
  ])('that was captured in part has what was captured, by %s', async (_, more, captures) => {
    const actions = captures.map((amount) => ({
      id: `act_${amount}`,
      type: 'Capture',
      amount,
      approved: true,
    }))
    const found = await reading({
      'GET /payments/pay_2': { id: 'pay_2', ...paid, ...more, status: 'Partially Captured' },
      'GET /payments/pay_2/actions': [
        ...actions,
        { id: 'act_0', type: 'Capture', amount: 1, approved: false },
      ],
    })
    expect(found?.charges).toMatchObject([{ kind: 'succeeded', money: { amount: 5_000, currency: 'EUR' } }])
  })
})

describe('a refund of checkout-com', () => {
  it.each([
    [403, 'failed'],
    [401, 'provider_unavailable'],
  ])('that is answered with %s is %s', async (status, outcome) => {
    const { provider } = await speakWith('checkout-com', conversation, {
      [`POST ${conversation.refund?.at}`]: { status, json: {} },
    })
    const refund = await provider
      .startRefund?.(refundOf(conversation))
      .catch(({ code }: DomainError) => ({ state: code }))
    expect(refund).toMatchObject({ state: outcome })
  })
})
