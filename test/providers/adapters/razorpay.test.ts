import { describe, expect, it } from 'vitest'
import { example } from './examples/razorpay.ts'
import { orderOf, paymentOf, speakWith } from './speak.ts'

/** Razorpay's own samples (razorpay/markdown-docs, webhooks), their unused fields left out. */
const PAID = {
  account_id: 'acc_OU2H3nkLn9jDVo',
  contains: ['payment_link', 'order', 'payment'],
  created_at: 1_749_618_314,
  entity: 'event',
  event: 'payment_link.paid',
  payload: {
    order: {
      entity: {
        amount: 1000,
        currency: 'INR',
        id: 'QflczVVaNJciLq',
        notes: [],
        receipt: '23',
        status: 'paid',
      },
    },
    payment: {
      entity: {
        amount: 1000,
        captured: true,
        created_at: 1_749_618_371,
        currency: 'INR',
        description: '#QflcnnZqCekuvL',
        entity: 'payment',
        error_code: null,
        error_description: null,
        error_reason: null,
        id: 'pay_Qfldmt5StKZFCB',
        method: 'upi',
        notes: [],
        order_id: 'order_QflczVVaNJciLq',
        status: 'captured',
      },
    },
    payment_link: {
      entity: {
        amount: 1000,
        amount_paid: 1000,
        id: 'plink_QflcnnZqCekuvL',
        notes: null,
        reference_id: '23',
      },
    },
  },
}
const DISPUTE = {
  id: 'disp_EsIMubKldQtcu5',
  entity: 'dispute',
  payment_id: 'pay_EsIKS2bpFiWghA',
  amount: 10_000,
  currency: 'INR',
  amount_deducted: 0,
  reason_code: 'goods_or_services_not_received_or_partially_received',
  respond_by: 1_590_431_400,
  status: 'closed',
  phase: 'fraud',
  evidence: { amount: 10_000, summary: null },
}
const PAYMENT = { id: 'pay_EsIKS2bpFiWghA', entity: 'payment', order_id: null, notes: [], error_code: null }

const interpret = async (body: object) => {
  const { provider } = await speakWith('razorpay', example.conversation)
  const rawBody = Buffer.from(JSON.stringify(body))
  const [event] = await provider.interpret({ method: 'POST', rawBody, headers: {}, rawQuery: '' })
  return event
}

describe('a published sample of razorpay', () => {
  it('says that a link was paid, by the payment', async () => {
    expect(await interpret(PAID)).toMatchObject({
      references: ['23', 'plink_QflcnnZqCekuvL', 'order_QflczVVaNJciLq', 'pay_Qfldmt5StKZFCB'],
      statement: {
        kind: 'succeeded',
        money: { amount: 1000, currency: 'INR' },
        chargeId: 'pay_Qfldmt5StKZFCB',
        at: '2025-06-11T05:05:14.000Z',
      },
    })
  })

  it.each([
    ['closed', { status: 'closed', phase: 'fraud' }, { state: 'won' }],
    ['created', { status: 'open', phase: 'fraud' }, { state: 'inquiry' }],
    ['created', { status: 'open', phase: 'pre_arbitration' }, { state: 'open' }],
    ['under_review', { status: 'under_review', phase: 'chargeback' }, { state: 'open' }],
    ['won', { status: 'won', phase: 'chargeback' }, { state: 'won' }],
    [
      'lost',
      { status: 'lost', phase: 'arbitration', amount_deducted: 9_000 },
      { state: 'lost', money: { amount: 9_000, currency: 'INR' } },
    ],
  ])('says how a dispute stands: %s %j', async (name, changes, statement) => {
    const dispute = { ...DISPUTE, ...changes }
    const payload = { payment: { entity: PAYMENT }, dispute: { entity: dispute } }
    const body = { entity: 'event', event: `payment.dispute.${name}`, payload, created_at: 1_590_000_000 }
    expect(await interpret(body)).toMatchObject({
      references: ['pay_EsIKS2bpFiWghA'],
      statement: { kind: 'dispute', disputeId: 'disp_EsIMubKldQtcu5', ...statement },
    })
  })
})

describe('a link of razorpay', () => {
  it('has no end where its expire_by is 0, rather than one in 1970', async () => {
    const { provider } = await speakWith('razorpay', example.conversation, {
      'POST /v1/payment_links': { id: 'plink_1', short_url: 'https://rzp.example/1', expire_by: 0 },
    })
    expect(await provider.start(orderOf(example.conversation))).toMatchObject({ expiresAt: null })
  })

  it('does not fail to capture a payment that was captured meanwhile', async () => {
    const { approved = {}, at } = example.conversation.capture ?? {}
    const { provider, api } = await speakWith('razorpay', example.conversation, {
      ...approved,
      [`POST ${at}`]: { status: 400, json: { error: { code: 'BAD_REQUEST_ERROR' } } },
    })
    const payment = paymentOf(example.conversation)
    await expect(provider.capture?.(payment)).rejects.toMatchObject({ code: 'provider_unavailable' })
    let reads = 0
    const meanwhile = await speakWith('razorpay', example.conversation, {
      ...approved,
      [`POST ${at}`]: { status: 400, json: {} },
      get 'GET /v1/orders/order_1/payments'() {
        reads += 1
        return { items: [{ id: 'pay_1', amount: 1, status: reads > 1 ? 'captured' : 'authorized' }] }
      },
    })
    expect(api.requests.length).toBeGreaterThan(0)
    expect(await meanwhile.provider.capture?.(payment)).toBeUndefined()
  })
})
