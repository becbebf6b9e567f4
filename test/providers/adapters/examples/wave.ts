import { waveSignature } from '#lib/providers/adapters/wave'
import { EXPIRES_AT, ID, inHeader, KEY, PAGE, type ProviderExample, REF } from '../example.ts'

const XOF = { amount: 12_550, currency: 'XOF' }

/** Wave's documentation of its endpoints; what they take and answer from secondary sources. */
export const example: ProviderExample = {
  settings: { apiKey: 'wave_test', webhookSecrets: ['wave_secret'] },
  sign: inHeader('wave-signature', waveSignature),
  samples: [
    [
      'succeeded',
      { kind: 'succeeded', money: XOF, chargeId: 'cos-1b01sghpg100j' },
      [REF, 'cos-1b01sghpg100j', 'TCN4Y4ZEXAMPLE'],
    ],
    ['failed', { kind: 'failed', final: false, code: 'insufficient-funds' }, [REF, 'cos-1b01sghpg100j']],
  ],
  conversation: {
    currency: 'XOF',
    amount: 12_550,
    references: ['cos-1'],
    url: PAGE,
    script: {
      'POST /v1/checkout/sessions': { id: 'cos-1', wave_launch_url: PAGE, when_expires: EXPIRES_AT },
      'GET /v1/checkout/sessions/cos-1': {
        id: 'cos-1',
        amount: '12550',
        currency: 'XOF',
        client_reference: ID,
        checkout_status: 'complete',
        payment_status: 'succeeded',
        transaction_id: 'T1',
        when_completed: '2026-11-18T11:06:37Z',
        when_refunded: '2026-11-19T08:00:00Z',
      },
      'POST /v1/checkout/sessions/cos-1/refund': {},
      'POST /v1/checkout/sessions/cos-1/expire': {},
    },
    start: {
      at: '/v1/checkout/sessions',
      key: ['idempotency-key', ID],
      expiresAt: EXPIRES_AT,
      body: { amount: '12550', currency: 'XOF', client_reference: ID },
    },
    refusal: {
      answer: { status: 422, json: { code: 'request-validation-error', message: 'Invalid amount' } },
      providerCode: 'request-validation-error',
    },
    reading: {
      charges: [{ kind: 'succeeded', money: XOF, chargeId: 'cos-1', at: '2026-11-18T11:06:37.000Z' }],
      refunds: [
        {
          state: 'succeeded',
          providerRefundId: 'cos-1:refund',
          money: XOF,
          chargeId: 'cos-1',
          at: '2026-11-19T08:00:00.000Z',
        },
      ],
    },
    refund: {
      amount: 12_550,
      chargeId: 'cos-1',
      at: '/v1/checkout/sessions/cos-1/refund',
      key: ['idempotency-key', KEY],
      answers: { state: 'succeeded', providerRefundId: 'cos-1:refund' },
    },
    close: {
      method: 'POST',
      at: '/v1/checkout/sessions/cos-1/expire',
      open: { 'POST /v1/checkout/sessions/cos-1/expire': { status: 409, json: {} } },
    },
  },
}
