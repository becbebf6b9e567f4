import { midtransSignature } from '#lib/providers/adapters/midtrans'
import { EXPIRES_AT, ID, KEY, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const IDR = { amount: 12_550_000, currency: 'IDR' }
const PART = { amount: 5_000_000, currency: 'IDR' }
const TRANSACTION = '57d5293c-0000-4000-8000-0000000000aa'

const settled = {
  order_id: ID,
  transaction_id: '57d5',
  transaction_status: 'partial_refund',
  transaction_time: '2026-11-18 18:06:30',
  payment_type: 'qris',
  status_code: '200',
  gross_amount: '125500.00',
  currency: 'IDR',
}

/** Midtrans' documentation: Snap transactions, "Expire Transaction", "Direct Refund Transaction", "Get Transaction Status". */
export const example: ProviderExample = {
  settings: { serverKey: 'SB-Mid-server-1' },
  configured: ([serverKey, ...webhookSecrets]) => ({ serverKey, webhookSecrets }),
  sign: (secret, sample) => {
    const body: Parameters<typeof midtransSignature>[1] = JSON.parse(JSON.stringify(sample))
    return {
      rawBody: JSON.stringify({ ...body, signature_key: midtransSignature(secret, body) }),
      headers: {},
    }
  },
  secretKey: 'serverKey',
  samples: [
    [
      'succeeded',
      { kind: 'succeeded', money: IDR, at: '2026-11-18T11:06:30.000Z', chargeId: TRANSACTION },
      [REF, TRANSACTION],
    ],
    ['failed', { kind: 'failed', final: false, code: 'deny' }, [REF]],
    ['refunded', { kind: 'succeeded', money: IDR, chargeId: TRANSACTION }, [REF, TRANSACTION]],
  ],
  conversation: {
    currency: 'IDR',
    amount: 12_550_000,
    references: ['57d5'],
    url: PAGE,
    script: {
      'POST /snap/v1/transactions': { token: 't', redirect_url: PAGE },
      [`GET /v2/${ID}/status`]: {
        ...settled,
        refunds: [
          { refund_chargeback_id: 7, refund_key: 'made-there', refund_amount: '500.00' },
          {
            refund_chargeback_id: 8,
            refund_key: REFUND,
            refund_amount: '50000.00',
            created_at: '2026-11-18 19:00:00',
          },
        ],
      },
      [`POST /v2/${ID}/refund/online/direct`]: { status_code: '200' },
      [`POST /v2/${ID}/expire`]: { status_code: '407', transaction_status: 'expire' },
    },
    start: {
      at: '/snap/v1/transactions',
      key: ['x-append-notification', 'https://api.platform.test/payments/callback/midtrans'],
      expiresAt: EXPIRES_AT,
      body: {
        transaction_details: { order_id: ID, gross_amount: 125_500 },
        expiry: { start_time: '2026-11-20 19:00:00 +0700', unit: 'minute', duration: 24 * 60 },
        page_expiry: { unit: 'minute', duration: 24 * 60 },
      },
    },
    refusal: {
      answer: { status: 400, json: { error_messages: ['transaction_details.gross_amount is too small'] } },
      providerCode: null,
    },
    reading: {
      charges: [{ kind: 'succeeded', money: IDR, chargeId: '57d5' }],
      refunds: [
        { providerRefundId: 'made-there', refundId: null, money: { amount: 50_000, currency: 'IDR' } },
        {
          state: 'succeeded',
          providerRefundId: REFUND,
          refundId: REFUND,
          money: PART,
          chargeId: '57d5',
          at: '2026-11-18T12:00:00.000Z',
        },
      ],
      disputes: [],
    },
    refund: {
      amount: 5_000_000,
      chargeId: '57d5',
      at: `/v2/${ID}/refund/online/direct`,
      body: { refund_key: KEY, amount: 50_000 },
      answers: { state: 'succeeded', providerRefundId: KEY },
    },
    close: {
      method: 'POST',
      at: `/v2/${ID}/expire`,
      open: {
        [`POST /v2/${ID}/expire`]: { status_code: '404' },
        [`GET /v2/${ID}/status`]: { status_code: '404' },
      },
    },
  },
}
