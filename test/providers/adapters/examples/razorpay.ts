import { razorpaySignature } from '#lib/providers/adapters/razorpay'
import { EXPIRES_AT, ID, inHeader, KEY, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const INR = { amount: 1_255_000, currency: 'INR' }
const PAYMENT = 'pay_ExampleAAA111'
const expire_by = Date.parse(EXPIRES_AT) / 1000

/** A page of refunds that is full, of which only the first is of interest. */
const PAGE_OF_REFUNDS = Array.from({ length: 100 }, (_, place) => ({
  id: `rfnd_${place}`,
  amount: 50,
  currency: 'INR',
  payment_id: 'pay_1',
  status: place === 0 ? 'processed' : 'failed',
  notes: place === 0 ? { payment_id: ID, refund_id: REFUND } : [],
  created_at: 1_794_999_996,
}))

/** Razorpay's documentation of payment links, refunds and disputes. */
export const example: ProviderExample = {
  settings: { keyId: 'rzp_1', keySecret: 'rzp_key', webhookSecrets: ['rzp_secret'] },
  sign: inHeader('x-razorpay-signature', razorpaySignature),
  samples: [
    ['succeeded', { kind: 'succeeded', money: INR, chargeId: PAYMENT }, [REF, 'order_ExampleBBB22', PAYMENT]],
    ['failed', { kind: 'failed', final: false, code: 'payment_timed_out' }, [REF, 'order_ExampleBBB22']],
    [
      'refunded',
      { kind: 'refund', state: 'succeeded', providerRefundId: 'rfnd_ExampleCCC33', chargeId: PAYMENT },
      [REF, 'order_ExampleBBB22', PAYMENT],
    ],
    [
      'disputed',
      { kind: 'dispute', state: 'open', disputeId: 'disp_ExampleDDD44', money: INR, chargeId: PAYMENT },
      [REF, 'order_ExampleBBB22', PAYMENT],
    ],
  ],
  conversation: {
    currency: 'INR',
    amount: 12_550,
    url: PAGE,
    references: ['plink_1', 'pay_1'],
    script: {
      'POST /v1/payment_links': { id: 'plink_1', short_url: PAGE, expire_by },
      'GET /v1/payment_links/plink_1': {
        id: 'plink_1',
        status: 'paid',
        amount_paid: 12_550,
        currency: 'INR',
        reference_id: ID,
        order_id: 'order_1',
        payments: [
          { payment_id: 'pay_0', amount: 12_550, status: 'failed', created_at: 1_794_999_970 },
          { payment_id: 'pay_1', amount: 12_550, status: 'captured', created_at: 1_794_999_980 },
        ],
      },
      'GET /v1/orders/order_1/payments': {
        count: 1,
        items: [
          {
            id: 'pay_1',
            amount: 12_550,
            currency: 'INR',
            status: 'captured',
            fee: 296,
            tax: 45,
            created_at: 1_794_999_980,
          },
        ],
      },
      'GET /v1/payments/pay_1/refunds?count=100&skip=0': { count: 100, items: PAGE_OF_REFUNDS },
      'GET /v1/payments/pay_1/refunds?count=100&skip=100': {
        count: 1,
        items: [{ id: 'rfnd_100', amount: 60, currency: 'INR', payment_id: 'pay_1', status: 'pending' }],
      },
      'GET /v1/disputes?count=100&skip=0&from=1794999980': {
        items: [
          { id: 'disp_0', payment_id: 'pay_another', amount: 1, currency: 'INR', status: 'lost' },
          {
            id: 'disp_1',
            payment_id: 'pay_1',
            amount: 100,
            currency: 'INR',
            amount_deducted: 0,
            reason_code: 'information_requested',
            respond_by: 1_795_000_000,
            phase: 'retrieval',
            status: 'open',
          },
          {
            id: 'disp_2',
            payment_id: 'pay_1',
            amount: 300,
            currency: 'INR',
            amount_deducted: 200,
            phase: 'chargeback',
            status: 'lost',
          },
        ],
      },
      'POST /v1/payments/pay_1/refund': { id: 'rfnd_1', status: 'processed' },
      'POST /v1/payment_links/plink_1/cancel': { id: 'plink_1', status: 'cancelled' },
    },
    start: {
      at: '/v1/payment_links',
      expiresAt: EXPIRES_AT,
      body: {
        amount: 12_550,
        reference_id: ID,
        expire_by,
        callback_url: `https://market.example/paid?payment=${ID}`,
      },
    },
    refusal: {
      answer: {
        status: 400,
        json: {
          error: {
            code: 'BAD_REQUEST_ERROR',
            description: 'amount must be atleast INR 1.00',
            field: 'amount',
          },
        },
      },
      providerCode: 'BAD_REQUEST_ERROR',
    },
    unknown: {
      'GET /v1/payment_links/plink_1': {
        status: 400,
        json: { error: { code: 'BAD_REQUEST_ERROR', description: 'The id provided does not exist' } },
      },
    },
    reading: {
      charges: [
        {
          kind: 'succeeded',
          money: { amount: 12_550, currency: 'INR' },
          chargeId: 'pay_1',
          at: '2026-11-18T11:06:20.000Z',
        },
      ],
      refunds: [...PAGE_OF_REFUNDS, { id: 'rfnd_100', status: 'pending' }].map(({ id, status }, place) => ({
        providerRefundId: id,
        state: status === 'processed' ? 'succeeded' : status,
        refundId: place === 0 ? REFUND : null,
        chargeId: 'pay_1',
      })),
      disputes: [
        {
          disputeId: 'disp_1',
          state: 'inquiry',
          money: { amount: 100, currency: 'INR' },
          respondBy: '2026-11-18T11:06:40.000Z',
        },
        { disputeId: 'disp_2', state: 'lost', money: { amount: 200, currency: 'INR' }, chargeId: 'pay_1' },
      ],
      fees: [{ kind: 'fee', feeId: 'pay_1', money: { amount: 296, currency: 'INR' } }],
    },
    capture: {
      at: '/v1/payments/pay_1/capture',
      body: { amount: 12_550, currency: 'INR' },
      approved: {
        'GET /v1/payment_links/plink_1': {
          id: 'plink_1',
          status: 'created',
          currency: 'INR',
          reference_id: ID,
          order_id: 'order_1',
          payments: null,
        },
        'GET /v1/orders/order_1/payments': {
          items: [
            { id: 'pay_0', amount: 12_550, currency: 'INR', status: 'failed', fee: null },
            { id: 'pay_1', amount: 12_550, currency: 'INR', status: 'authorized', fee: null },
          ],
        },
        'POST /v1/payments/pay_1/capture': { id: 'pay_1', status: 'captured' },
      },
    },
    refund: {
      amount: 50,
      chargeId: 'pay_1',
      at: '/v1/payments/pay_1/refund',
      key: ['x-refund-idempotency', KEY],
      body: { amount: 50, notes: { payment_id: ID, refund_id: REFUND } },
      answers: { state: 'succeeded', providerRefundId: 'rfnd_1' },
    },
    close: {
      method: 'POST',
      at: '/v1/payment_links/plink_1/cancel',
      open: { 'POST /v1/payment_links/plink_1/cancel': { status: 400, json: {} } },
    },
  },
}
