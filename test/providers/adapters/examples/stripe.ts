import { stripeSignature } from '#lib/providers/adapters/stripe'
import { EXPIRES_AT, ID, inHeader, KEY, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const EUR = { amount: 12_550, currency: 'EUR' }
const INTENT = 'pi_3QZxExampleIntent'

/** Stripe's documentation: sessions, refunds and disputes of the API version that the requests pin. */
export const example: ProviderExample = {
  settings: { apiKey: 'sk_test_stripe', webhookSecrets: ['whsec_test'] },
  sign: inHeader('stripe-signature', stripeSignature),
  samples: [
    [
      'succeeded',
      { kind: 'succeeded', money: EUR, chargeId: INTENT },
      [REF, 'cs_test_a1ExampleSession', INTENT],
    ],
    ['failed', { kind: 'failed', final: false, code: 'insufficient_funds' }, [REF, INTENT]],
    ['refunded', null, [REF, 'ch_3QZxExampleCharge', INTENT]],
    [
      'disputed',
      { kind: 'dispute', state: 'open', disputeId: 'du_1QZxExampleDispute', money: EUR, chargeId: INTENT },
      ['du_1QZxExampleDispute', INTENT, 'ch_3QZxExampleCharge'],
    ],
  ],
  conversation: {
    currency: 'EUR',
    amount: 12_550,
    references: ['cs_1', 'pi_1'],
    url: PAGE,
    script: {
      'POST /v1/checkout/sessions': { id: 'cs_1', url: PAGE, expires_at: Date.parse(EXPIRES_AT) / 1000 },
      'GET /v1/checkout/sessions/cs_1': {
        id: 'cs_1',
        status: 'complete',
        payment_status: 'paid',
        amount_total: 12_550,
        currency: 'eur',
        client_reference_id: ID,
        payment_intent: 'pi_1',
      },
      'GET /v1/refunds?payment_intent=pi_1&limit=100': {
        data: [
          {
            id: 're_1',
            status: 'succeeded',
            amount: 50,
            currency: 'eur',
            created: 1_794_999_996,
            payment_intent: 'pi_1',
          },
        ],
        has_more: true,
      },
      'GET /v1/refunds?payment_intent=pi_1&limit=100&starting_after=re_1': {
        data: [
          { id: 're_2', status: 'failed', amount: 60, currency: 'eur', metadata: { refund_id: REFUND } },
        ],
      },
      'GET /v1/disputes?payment_intent=pi_1&limit=100': {
        data: [
          {
            id: 'du_1',
            status: 'warning_under_review',
            amount: 100,
            currency: 'eur',
            evidence_details: { due_by: 1_795_000_000 },
          },
        ],
      },
      // A charge that failed has no balance transaction.
      'GET /v1/charges?payment_intent=pi_1&expand%5B%5D=data.balance_transaction': {
        data: [
          {
            id: 'ch_1',
            status: 'succeeded',
            balance_transaction: { id: 'txn_1', fee: 312, currency: 'gbp' },
          },
          { id: 'ch_0', status: 'failed', balance_transaction: null },
        ],
      },
      'POST /v1/refunds': { id: 're_3', status: 'pending' },
      'POST /v1/checkout/sessions/cs_1/expire': { id: 'cs_1', status: 'expired' },
    },
    start: {
      at: '/v1/checkout/sessions',
      key: ['idempotency-key', ID],
      expiresAt: EXPIRES_AT,
      body: {
        'line_items[0][price_data][unit_amount]': '12550',
        client_reference_id: ID,
        expires_at: String(Date.parse(EXPIRES_AT) / 1000),
        'adaptive_pricing[enabled]': 'false',
      },
    },
    refusal: {
      answer: {
        status: 400,
        json: { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'Too small.' } },
      },
      providerCode: 'amount_too_small',
    },
    reading: {
      charges: [{ kind: 'succeeded', money: EUR, chargeId: 'pi_1' }],
      refunds: [
        { state: 'succeeded', providerRefundId: 're_1', refundId: null, at: '2026-11-18T11:06:36.000Z' },
        { state: 'failed', providerRefundId: 're_2', refundId: REFUND },
      ],
      disputes: [
        {
          disputeId: 'du_1',
          state: 'inquiry',
          money: { amount: 100, currency: 'EUR' },
          respondBy: '2026-11-18T11:06:40.000Z',
        },
      ],
      fees: [{ kind: 'fee', feeId: 'txn_1', money: { amount: 312, currency: 'GBP' } }],
    },
    refund: {
      amount: 50,
      chargeId: 'pi_1',
      at: '/v1/refunds',
      key: ['idempotency-key', KEY],
      body: { payment_intent: 'pi_1', amount: '50', 'metadata[refund_id]': REFUND },
      answers: { state: 'pending', providerRefundId: 're_3' },
    },
    close: {
      method: 'POST',
      at: '/v1/checkout/sessions/cs_1/expire',
      open: {
        'POST /v1/checkout/sessions/cs_1/expire': { status: 400, json: {} },
        'GET /v1/checkout/sessions/cs_1': { id: 'cs_1', status: 'complete' },
      },
    },
  },
}
