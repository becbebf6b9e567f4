import { signStandardWebhook } from '#lib/kernel/signatures'
import { EXPIRES_AT, ID, KEY, PAGE, type ProviderExample, REFUND, STANDARD_SECRET } from '../example.ts'

const EUR = { amount: 12_550, currency: 'EUR' }

/** The sandbox of the local stack; it signs as one's own gateway does. */
export const example: ProviderExample = {
  settings: { webhookSecrets: [STANDARD_SECRET] },
  sign: (secret, sample, sentAtSeconds) => {
    const rawBody = JSON.stringify(sample)
    const message = { id: 'msg_1', sentAtSeconds, rawBody: Buffer.from(rawBody) }
    return { rawBody, headers: signStandardWebhook([secret], message) }
  },
  samples: [],
  conversation: {
    currency: 'EUR',
    amount: 12_550,
    references: ['sbx_1'],
    url: PAGE,
    script: {
      'POST /checkouts': { id: 'sbx_1', url: PAGE, expiresAt: EXPIRES_AT },
      'GET /checkouts/sbx_1': {
        id: 'sbx_1',
        reference: ID,
        state: 'paid',
        ...EUR,
        secondCharge: { id: 'sbx_1_second', amount: 12_550 },
        refunds: [{ id: `sbx_1_${REFUND}`, amount: 50, chargeId: null }],
        disputed: true,
        disputeOutcome: 'lost',
      },
      'POST /checkouts/sbx_1/refunds': { id: `sbx_1_${REFUND}` },
      'POST /checkouts/sbx_1/cancellation': {},
    },
    start: {
      at: '/checkouts',
      key: ['idempotency-key', ID],
      body: { reference: ID, ...EUR },
      expiresAt: EXPIRES_AT,
    },
    reading: {
      charges: [
        { kind: 'succeeded', money: EUR, chargeId: 'sbx_1' },
        { kind: 'succeeded', money: EUR, chargeId: 'sbx_1_second' },
      ],
      refunds: [
        { state: 'succeeded', providerRefundId: `sbx_1_${REFUND}`, refundId: REFUND, chargeId: 'sbx_1' },
      ],
      disputes: [{ state: 'lost', disputeId: 'sbx_1_dispute' }],
    },
    refund: {
      amount: 50,
      chargeId: 'sbx_1',
      at: '/checkouts/sbx_1/refunds',
      key: ['idempotency-key', KEY],
      body: { amount: 50, chargeId: 'sbx_1' },
      answers: { state: 'succeeded', providerRefundId: `sbx_1_${REFUND}` },
    },
    close: { method: 'POST', at: '/checkouts/sbx_1/cancellation', open: {} },
  },
}
