import { mollieSignature } from '#lib/providers/adapters/mollie'
import { uuidOf } from '#lib/providers/kit/api'
import { EXPIRES_AT, ID, inHeader, KEY, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const EUR = { amount: 12_550, currency: 'EUR' }
const PAYMENT = 'tr_5B8cwExample1'
const eur = (value: string) => ({ value, currency: 'EUR' })

/** Mollie's published API of version 2. */
export const example: ProviderExample = {
  settings: { apiKey: 'mollie_1' },
  // The older kind is a form, which nobody signs.
  sign: (secret, sample, sentAtSeconds) =>
    typeof sample === 'string'
      ? { rawBody: sample, headers: {} }
      : inHeader('x-mollie-signature', mollieSignature)(secret, sample, sentAtSeconds),
  samples: [
    ['succeeded', { kind: 'succeeded', money: EUR, chargeId: PAYMENT }, [REF, PAYMENT]],
    ['failed', { kind: 'failed', final: true }, [REF, PAYMENT]],
    [
      'refunded',
      {
        kind: 'refund',
        state: 'succeeded',
        money: { amount: 5_000, currency: 'EUR' },
        providerRefundId: 're_4qqhExample2',
        chargeId: PAYMENT,
      },
      [REF, PAYMENT],
    ],
    [
      'disputed',
      { kind: 'dispute', state: 'lost', disputeId: 'chb_n9z0Example3', money: EUR, chargeId: PAYMENT },
      [PAYMENT],
    ],
    ['legacy_any', null, [PAYMENT]],
  ],
  conversation: {
    currency: 'EUR',
    amount: 12_550,
    url: PAGE,
    references: ['tr_1'],
    script: {
      'POST /v2/payments': {
        id: 'tr_1',
        status: 'open',
        amount: eur('125.50'),
        expiresAt: '2026-11-21T13:00:00+01:00',
        _links: { checkout: { href: PAGE } },
      },
      'GET /v2/payments/tr_1?embed=refunds,chargebacks': {
        id: 'tr_1',
        status: 'paid',
        amount: eur('125.50'),
        metadata: { payment_id: ID },
        paidAt: '2026-11-18T11:06:37+00:00',
        _embedded: {
          refunds: [
            { id: 're_1', status: 'refunded', amount: eur('0.50') },
            { id: 're_2', status: 'queued', amount: eur('0.60'), metadata: { refund_id: REFUND } },
            { id: 're_3', status: 'canceled', amount: eur('0.70') },
          ],
          chargebacks: [
            {
              id: 'chb_1',
              amount: eur('100.00'),
              createdAt: '2026-11-19T00:00:00+00:00',
              reason: { code: 'AC01', description: 'Account identifier incorrect' },
              reversedAt: null,
            },
            {
              id: 'chb_2',
              amount: eur('25.50'),
              createdAt: '2026-11-19T00:00:00+00:00',
              reversedAt: '2026-11-20T00:00:00+00:00',
            },
          ],
        },
      },
      'POST /v2/payments/tr_1/refunds': { id: 're_4', status: 'pending', amount: eur('0.50') },
      'DELETE /v2/payments/tr_1': { id: 'tr_1', status: 'canceled', amount: eur('125.50') },
    },
    start: {
      at: '/v2/payments',
      key: ['idempotency-key', uuidOf(ID)],
      expiresAt: EXPIRES_AT,
      body: {
        amount: eur('125.50'),
        metadata: { payment_id: ID },
        redirectUrl: `https://market.example/paid?payment=${ID}`,
        webhookUrl: 'https://api.platform.test/payments/callback/mollie',
      },
    },
    refusal: {
      answer: {
        status: 422,
        json: {
          status: 422,
          title: 'Unprocessable Entity',
          detail: 'The amount is higher than the maximum',
          field: 'amount',
        },
      },
      providerCode: null,
    },
    reading: {
      charges: [{ kind: 'succeeded', money: EUR, chargeId: 'tr_1', at: '2026-11-18T11:06:37.000Z' }],
      refunds: [
        {
          state: 'succeeded',
          providerRefundId: 're_1',
          refundId: null,
          chargeId: 'tr_1',
          money: { amount: 50, currency: 'EUR' },
        },
        { state: 'pending', providerRefundId: 're_2', refundId: REFUND },
        { state: 'failed', providerRefundId: 're_3', refundId: null },
      ],
      disputes: [
        {
          disputeId: 'chb_1',
          state: 'lost',
          chargeId: 'tr_1',
          money: { amount: 10_000, currency: 'EUR' },
          reason: 'Account identifier incorrect',
          at: '2026-11-19T00:00:00.000Z',
        },
        { disputeId: 'chb_2', state: 'won', at: '2026-11-20T00:00:00.000Z' },
      ],
    },
    refund: {
      amount: 50,
      chargeId: 'tr_1',
      at: '/v2/payments/tr_1/refunds',
      key: ['idempotency-key', uuidOf(KEY)],
      body: { amount: eur('0.50'), metadata: { payment_id: ID, refund_id: REFUND } },
      answers: { state: 'pending', providerRefundId: 're_4' },
    },
    close: {
      method: 'DELETE',
      at: '/v2/payments/tr_1',
      open: { 'DELETE /v2/payments/tr_1': { status: 422, json: { status: 422 } } },
    },
  },
}
