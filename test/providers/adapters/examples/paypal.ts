import { ID, KEY, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const EUR = { amount: 12_550, currency: 'EUR' }
const CAPTURE = '42311647XV020574X'

const order = (status: string, payments: object = {}) => ({
  id: 'ORDER1',
  status,
  purchase_units: [{ custom_id: ID, payments }],
})
const UP = [{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/CAP1' }]
const huf = (value: string) => ({ value, currency_code: 'HUF' })

/** PayPal's published API: orders and payments of version 2, disputes of version 1. */
export const example: ProviderExample = {
  settings: { clientId: 'pp_1', clientSecret: 'pp_key', webhookId: 'WH-1' },
  // A certificate signs: that is shown apart.
  configured: (_, { webhookId }) => ({ webhookId }),
  sign: 'unsigned',
  samples: [
    [
      'succeeded',
      { kind: 'succeeded', money: EUR, chargeId: CAPTURE, at: '2026-11-18T11:06:38.000Z' },
      [REF, '1AB23456CD789012E', CAPTURE],
    ],
    ['failed', { kind: 'failed', final: true, code: 'declined' }, [REF, '1AB23456CD789012E', CAPTURE]],
    [
      'refunded',
      {
        kind: 'refund',
        state: 'succeeded',
        money: { amount: 5_000, currency: 'EUR' },
        providerRefundId: '1JU08902781691411',
        chargeId: CAPTURE,
      },
      [REF, CAPTURE],
    ],
    [
      'disputed',
      { kind: 'dispute', state: 'open', disputeId: 'PP-D-27803', money: EUR, chargeId: CAPTURE },
      [REF, CAPTURE],
    ],
  ],
  conversation: {
    currency: 'HUF',
    amount: 125_000,
    url: PAGE,
    references: ['ORDER1', 'CAP1'],
    script: {
      'POST /v1/oauth2/token': { access_token: 'A21', expires_in: 3600 },
      'POST /v2/checkout/orders': { id: 'ORDER1', links: [{ rel: 'payer-action', href: PAGE }] },
      'POST /v2/checkout/orders/ORDER1/capture': order('COMPLETED'),
      'GET /v2/checkout/orders/ORDER1': order('COMPLETED', {
        captures: [
          { id: 'CAP0', status: 'DECLINED', amount: huf('1250') },
          {
            id: 'CAP1',
            status: 'PARTIALLY_REFUNDED',
            amount: huf('1250'),
            seller_receivable_breakdown: { paypal_fee: huf('48') },
            update_time: '2026-11-18T11:06:37Z',
          },
        ],
        refunds: [
          { id: 'REF0', status: 'COMPLETED', amount: huf('10'), custom_id: REFUND, links: UP },
          { id: 'REF9', status: 'CANCELLED', amount: huf('20'), links: UP },
        ],
      }),
      'GET /v1/customer/disputes?disputed_transaction_id=CAP1&page_size=50': {
        items: [
          {
            dispute_id: 'PP-D-1',
            status: 'WAITING_FOR_SELLER_RESPONSE',
            dispute_life_cycle_stage: 'INQUIRY',
            dispute_amount: huf('100'),
            seller_response_due_date: '2026-11-30T00:00:00Z',
            update_time: '2026-11-19T00:00:00Z',
          },
        ],
        links: [{ rel: 'next', href: 'https://api.paypal.com/v1/customer/disputes?next_page_token=2' }],
      },
      'GET /v1/customer/disputes?next_page_token=2': {
        items: [{ dispute_id: 'PP-D-2', status: 'RESOLVED', dispute_amount: huf('300') }],
      },
      'GET /v1/customer/disputes/PP-D-2': {
        dispute_id: 'PP-D-2',
        status: 'RESOLVED',
        reason: 'UNAUTHORISED',
        dispute_amount: huf('300'),
        dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: huf('200') },
      },
      'POST /v2/payments/captures/CAP1/refund': { id: 'REF1', status: 'COMPLETED' },
    },
    start: {
      at: '/v2/checkout/orders',
      key: ['paypal-request-id', ID],
      body: {
        intent: 'CAPTURE',
        purchase_units: [{ custom_id: ID, amount: huf('1250') }],
        payment_source: {
          paypal: {
            experience_context: {
              user_action: 'PAY_NOW',
              shipping_preference: 'NO_SHIPPING',
              return_url: `https://market.example/paid?payment=${ID}`,
            },
          },
        },
      },
    },
    refusal: {
      answer: {
        status: 422,
        json: {
          name: 'UNPROCESSABLE_ENTITY',
          message: 'The request could not be carried out.',
          details: [{ issue: 'PAYEE_ACCOUNT_RESTRICTED', description: 'The account is restricted.' }],
        },
      },
      providerCode: 'PAYEE_ACCOUNT_RESTRICTED',
    },
    capture: {
      at: '/v2/checkout/orders/ORDER1/capture',
      key: ['paypal-request-id', 'ORDER1'],
      approved: { 'GET /v2/checkout/orders/ORDER1': order('APPROVED') },
    },
    reading: {
      charges: [{ kind: 'succeeded', money: { amount: 125_000, currency: 'HUF' }, chargeId: 'CAP1' }],
      refunds: [
        { state: 'succeeded', providerRefundId: 'REF0', refundId: REFUND, chargeId: 'CAP1' },
        { state: 'failed', providerRefundId: 'REF9', refundId: null },
      ],
      disputes: [
        {
          disputeId: 'PP-D-1',
          state: 'inquiry',
          respondBy: '2026-11-30T00:00:00.000Z',
          at: '2026-11-19T00:00:00.000Z',
        },
        {
          disputeId: 'PP-D-2',
          state: 'lost',
          money: { amount: 20_000, currency: 'HUF' },
          reason: 'UNAUTHORISED',
        },
      ],
      fees: [{ kind: 'fee', feeId: 'CAP1', money: { amount: 4_800, currency: 'HUF' } }],
    },
    refund: {
      amount: 500,
      chargeId: 'CAP1',
      at: '/v2/payments/captures/CAP1/refund',
      key: ['paypal-request-id', KEY],
      body: { amount: huf('5'), custom_id: REFUND },
      answers: { state: 'succeeded', providerRefundId: 'REF1' },
    },
    // PayPal cancels no order: without our capture nobody can pay.
    close: {
      method: 'GET',
      at: '/v2/checkout/orders/ORDER1',
      unpaid: { 'GET /v2/checkout/orders/ORDER1': order('APPROVED') },
      open: {
        'GET /v2/checkout/orders/ORDER1': order('COMPLETED', {
          captures: [{ id: 'CAP1', status: 'PENDING', amount: huf('1250') }],
        }),
      },
    },
  },
}
