import { squareSignature } from '#lib/providers/adapters/square'
import { ID, inHeader, KEY, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const USD = { amount: 12_550, currency: 'USD' }
const PAYMENT = 'hYyExamplePay01'
const CALLBACK = 'https://api.platform.test/payments/callback/square'
const usd = (amount: number) => ({ amount, currency: 'USD' })

/** Square's published API. */
export const example: ProviderExample = {
  settings: { accessToken: 'sq_1', locationId: 'L1', webhookSecrets: ['sq_secret'] },
  configured: (webhookSecrets, { url }) => ({ webhookSecrets, notificationUrl: url }),
  sign: inHeader('x-square-hmacsha256-signature', (secret, rawBody) =>
    squareSignature(secret, CALLBACK, rawBody),
  ),
  samples: [
    ['succeeded', { kind: 'succeeded', money: USD, chargeId: PAYMENT }, [REF, 'o7ExampleOrder1', PAYMENT]],
    ['failed', { kind: 'failed', final: false }, [REF, 'o7ExampleOrder1', 'hYyExamplePay02']],
    [
      'refunded',
      {
        kind: 'refund',
        state: 'succeeded',
        providerRefundId: 'hYyExamplePay01_rfExample',
        chargeId: PAYMENT,
        reason: 'buyer request',
        refundId: null,
      },
      [PAYMENT],
    ],
    [
      'disputed',
      {
        kind: 'dispute',
        state: 'open',
        disputeId: 'bVTExampleDisp1',
        money: USD,
        chargeId: PAYMENT,
        reason: 'NO_KNOWLEDGE',
      },
      [PAYMENT],
    ],
  ],
  conversation: {
    currency: 'USD',
    amount: 12_550,
    url: PAGE,
    references: ['order1', 'link1'],
    script: {
      'POST /v2/online-checkout/payment-links': {
        payment_link: { id: 'link1', url: PAGE, order_id: 'order1' },
      },
      'GET /v2/orders/order1': {
        order: {
          id: 'order1',
          reference_id: ID,
          state: 'OPEN',
          tenders: [{ payment_id: 'sq0' }, { payment_id: 'sq1' }],
        },
      },
      'GET /v2/payments/sq0': { payment: { id: 'sq0', status: 'FAILED', amount_money: usd(12_550) } },
      'GET /v2/payments/sq1': {
        payment: {
          id: 'sq1',
          order_id: 'order1',
          status: 'COMPLETED',
          amount_money: usd(12_550),
          refund_ids: ['rf0', 'rf1'],
          processing_fee: [
            { type: 'INITIAL', amount_money: usd(394), effective_at: '2026-11-18T13:00:00.000Z' },
          ],
          updated_at: '2026-11-18T11:06:37.000Z',
        },
      },
      'GET /v2/refunds/rf0': {
        refund: {
          id: 'rf0',
          payment_id: 'sq1',
          status: 'COMPLETED',
          amount_money: usd(50),
          reason: `${REFUND} the keys came late`,
        },
      },
      'GET /v2/refunds/rf1': {
        refund: {
          id: 'rf1',
          payment_id: 'sq1',
          status: 'REJECTED',
          amount_money: usd(60),
          reason: 'by hand',
        },
      },
      'GET /v2/disputes?location_id=L1': {
        disputes: [
          { id: 'd0', state: 'LOST', amount_money: usd(1), disputed_payment: { payment_id: 'another' } },
        ],
        cursor: 'c 2',
      },
      'GET /v2/disputes?location_id=L1&cursor=c%202': {
        disputes: [
          {
            id: 'd1',
            state: 'INQUIRY_PROCESSING',
            amount_money: usd(100),
            reason: 'DUPLICATE',
            due_at: '2026-12-01T00:00:00.000Z',
            updated_at: '2026-11-20T00:00:00.000Z',
            disputed_payment: { payment_id: 'sq1' },
          },
        ],
      },
      'POST /v2/refunds': { refund: { id: 'rf2', status: 'PENDING' } },
      'DELETE /v2/online-checkout/payment-links/link1': { id: 'link1', cancelled_order_id: 'order1' },
    },
    start: {
      at: '/v2/online-checkout/payment-links',
      body: {
        idempotency_key: ID,
        order: { location_id: 'L1', reference_id: ID },
        checkout_options: { redirect_url: `https://market.example/paid?payment=${ID}` },
      },
    },
    refusal: {
      answer: {
        status: 400,
        json: {
          errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'INVALID_VALUE', detail: 'Wrong currency.' }],
        },
      },
      providerCode: 'INVALID_VALUE',
    },
    reading: {
      charges: [{ kind: 'succeeded', money: USD, chargeId: 'sq1', at: '2026-11-18T11:06:37.000Z' }],
      refunds: [
        {
          state: 'succeeded',
          providerRefundId: 'rf0',
          refundId: REFUND,
          chargeId: 'sq1',
          money: { amount: 50, currency: 'USD' },
          reason: 'the keys came late',
        },
        { state: 'failed', providerRefundId: 'rf1', refundId: null, reason: 'by hand' },
      ],
      disputes: [
        {
          disputeId: 'd1',
          state: 'inquiry',
          money: { amount: 100, currency: 'USD' },
          chargeId: 'sq1',
          respondBy: '2026-12-01T00:00:00.000Z',
          at: '2026-11-20T00:00:00.000Z',
        },
      ],
      fees: [{ kind: 'fee', feeId: 'sq1:0', money: { amount: 394, currency: 'USD' } }],
    },
    refund: {
      amount: 50,
      chargeId: 'sq1',
      at: '/v2/refunds',
      body: {
        idempotency_key: KEY,
        payment_id: 'sq1',
        amount_money: { amount: 50, currency: 'USD' },
        reason: REFUND,
      },
      answers: { state: 'pending', providerRefundId: 'rf2' },
    },
    close: {
      method: 'DELETE',
      at: '/v2/online-checkout/payment-links/link1',
      open: { 'DELETE /v2/online-checkout/payment-links/link1': { status: 404, json: { errors: [] } } },
    },
  },
}
