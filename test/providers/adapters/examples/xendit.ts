import { EXPIRES_AT, ID, KEY, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const IDR = { amount: 12_550_000, currency: 'IDR' }
const INVOICE = '6735examplea1b2c3d4e5f60'
const REFUNDS = '/refunds?invoice_id=6735&limit=100'

/** Xendit's SDK: invoices and refunds. Its callbacks carry a token that covers no content. */
export const example: ProviderExample = {
  settings: { apiKey: 'xnd_1', webhookSecrets: ['xnd_token'] },
  sign: 'unsigned',
  samples: [
    [
      'succeeded_invoice',
      { kind: 'succeeded', money: IDR, chargeId: INVOICE },
      [REF, INVOICE, 'ewc_example0001'],
    ],
    ['failed_invoice', { kind: 'expired' }, [REF, INVOICE]],
    [
      'succeeded_v3',
      { kind: 'succeeded', money: IDR },
      [REF, 'pr-0b1c2d3e-0000-4000-8000-000000000001', 'py-0b1c2d3e-0000-4000-8000-000000000001'],
    ],
    [
      'refunded',
      {
        kind: 'refund',
        state: 'succeeded',
        providerRefundId: 'rfd-0b1c2d3e-0000-4000-8000-000000000009',
        money: { amount: 5_000_000, currency: 'IDR' },
      },
      [
        'py-0b1c2d3e-0000-4000-8000-000000000001',
        'pr-0b1c2d3e-0000-4000-8000-000000000001',
        'rfd-0b1c2d3e-0000-4000-8000-000000000009',
      ],
    ],
  ],
  conversation: {
    currency: 'IDR',
    amount: 12_550_000,
    references: ['6735', 'ewc_1', 'rfd-1', 'rfd-5'],
    url: PAGE,
    script: {
      'POST /v2/invoices': { id: '6735', invoice_url: PAGE, expiry_date: EXPIRES_AT },
      [`GET /v2/invoices?external_id=${ID}`]: [],
      'GET /v2/invoices/6735': {
        id: '6735',
        external_id: ID,
        status: 'PAID',
        amount: 125_500,
        paid_amount: 125_500,
        currency: 'IDR',
        paid_at: '2026-11-18T11:06:37.000Z',
      },
      [`GET ${REFUNDS}`]: {
        data: [
          { id: 'rfd-1', invoice_id: '6735', amount: 500, currency: 'IDR', status: 'SUCCEEDED' },
          { id: 'rfd-2', invoice_id: 'another', amount: 500, currency: 'IDR', status: 'SUCCEEDED' },
        ],
        has_more: true,
      },
      [`GET ${REFUNDS}&after_id=rfd-2`]: {
        data: [
          {
            id: 'rfd-3',
            invoice_id: '6735',
            reference_id: REFUND,
            amount: 50_000,
            currency: 'IDR',
            status: 'FAILED',
          },
        ],
      },
      'GET /refunds/rfd-5': {
        id: 'rfd-5',
        payment_id: 'ewc_1',
        amount: 700,
        currency: 'IDR',
        status: 'PENDING',
      },
      'POST /refunds': { id: 'rfd-4', status: 'PENDING' },
      'POST /invoices/6735/expire!': { id: '6735', status: 'EXPIRED' },
    },
    start: {
      at: '/v2/invoices',
      expiresAt: EXPIRES_AT,
      body: { external_id: ID, amount: 125_500, currency: 'IDR', invoice_duration: 24 * 60 * 60 },
    },
    refusal: {
      answer: { status: 400, json: { error_code: 'API_VALIDATION_ERROR', message: 'amount is too small' } },
      providerCode: 'API_VALIDATION_ERROR',
    },
    reading: {
      charges: [{ kind: 'succeeded', money: IDR, chargeId: '6735', at: '2026-11-18T11:06:37.000Z' }],
      refunds: [
        { state: 'succeeded', providerRefundId: 'rfd-1', refundId: null, chargeId: '6735' },
        { state: 'failed', providerRefundId: 'rfd-3', refundId: REFUND },
        { state: 'pending', providerRefundId: 'rfd-5', money: { amount: 70_000, currency: 'IDR' } },
      ],
    },
    refund: {
      amount: 5_000_000,
      chargeId: '6735',
      at: '/refunds',
      key: ['idempotency-key', KEY],
      body: { invoice_id: '6735', amount: 50_000, currency: 'IDR', reference_id: REFUND },
      answers: { state: 'pending', providerRefundId: 'rfd-4' },
    },
    close: {
      method: 'POST',
      at: '/invoices/6735/expire!',
      open: {
        'POST /invoices/6735/expire!': { status: 400, json: { error_code: 'INVOICE_ALREADY_PAID' } },
        'GET /v2/invoices/6735': { id: '6735', status: 'PAID' },
      },
    },
  },
}
