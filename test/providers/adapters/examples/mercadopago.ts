import { EXPIRES_AT, ID, KEY, PAGE, type ProviderExample } from '../example.ts'

const BRL = { amount: 12_550, currency: 'BRL' }
const PART = { amount: 50, currency: 'BRL' }
const SEARCH = `/v1/payments/search?external_reference=${ID}&limit=50`

/**
 * Mercado Pago's documentation: preferences, "Get payment status", "Manage chargebacks". Its callbacks, which point by
 * their query alone, are in the vectors.
 */
export const example: ProviderExample = {
  settings: { accessToken: 'mp_1', webhookSecrets: ['mp_secret'] },
  sign: 'unsigned',
  samples: [],
  conversation: {
    currency: 'BRL',
    amount: 12_550,
    references: ['444-pref', '1312'],
    url: PAGE,
    script: {
      'POST /checkout/preferences': { id: '444-pref', init_point: PAGE, expiration_date_to: EXPIRES_AT },
      [`GET ${SEARCH}&offset=0`]: {
        paging: { total: 2, limit: 1, offset: 0 },
        results: [{ id: 1311, status: 'rejected', status_detail: 'cc_rejected', external_reference: ID }],
      },
      [`GET ${SEARCH}&offset=1`]: {
        paging: { total: 2, limit: 1, offset: 1 },
        results: [
          {
            id: 1312,
            status: 'charged_back',
            status_detail: 'in_process',
            transaction_amount: 125.5,
            transaction_amount_refunded: 0,
            date_approved: '2026-11-18T07:06:30.000-04:00',
            refunds: [{ id: 9, status: 'in_process', amount: 0.5 }],
            fee_details: [
              { type: 'mercadopago_fee', fee_payer: 'collector', amount: 5.01 },
              { type: 'financing_fee', fee_payer: 'payer', amount: 3 },
            ],
            currency_id: 'BRL',
            external_reference: ID,
          },
        ],
      },
      'GET /v1/chargebacks/search?payment_id=1312&limit=50&offset=0': {
        paging: { total: 1, limit: 25, offset: 0 },
        results: [
          {
            id: '234000062890459000',
            payments: [1312],
            currency: 'BRL',
            amount: 100.5,
            reason: 'general',
            coverage_applied: null,
            date_documentation_deadline: '2026-12-08T09:50:37.000-04:00',
            date_last_updated: '2026-11-19T12:48:24.000-04:00',
          },
        ],
      },
      'POST /v1/payments/1312/refunds': { id: 10, status: 'approved', amount: 0.5 },
      'PUT /checkout/preferences/444-pref': { id: '444-pref' },
    },
    start: {
      at: '/checkout/preferences',
      key: ['x-idempotency-key', ID],
      expiresAt: EXPIRES_AT,
      body: {
        external_reference: ID,
        items: [{ unit_price: 125.5, currency_id: 'BRL' }],
        payer: { name: 'Awa', surname: 'Koné', email: 'buyer@example.test' },
        metadata: { country: 'CI' },
        expires: true,
        expiration_date_to: EXPIRES_AT,
        date_of_expiration: EXPIRES_AT,
      },
    },
    refusal: {
      answer: {
        status: 400,
        json: { error: 'invalid_items', message: 'unit_price invalid', status: 400, cause: null },
      },
      providerCode: 'invalid_items',
    },
    reading: {
      charges: [{ kind: 'succeeded', money: BRL, chargeId: '1312', at: '2026-11-18T11:06:30.000Z' }],
      refunds: [{ state: 'pending', providerRefundId: '9', money: PART, chargeId: '1312' }],
      disputes: [
        {
          disputeId: '234000062890459000',
          state: 'open',
          money: { amount: 10_050, currency: 'BRL' },
          chargeId: '1312',
          reason: 'general',
          at: '2026-11-19T16:48:24.000Z',
          respondBy: '2026-12-08T13:50:37.000Z',
        },
      ],
      fees: [{ feeId: '1312', money: { amount: 501, currency: 'BRL' } }],
    },
    refund: {
      amount: 50,
      chargeId: '1312',
      at: '/v1/payments/1312/refunds',
      key: ['x-idempotency-key', KEY],
      body: { amount: 0.5 },
      answers: { state: 'succeeded', providerRefundId: '10' },
    },
    close: {
      method: 'PUT',
      at: '/checkout/preferences/444-pref',
      body: { expires: true, expiration_date_to: '2026-11-20T12:00:00.000Z' },
    },
  },
}
