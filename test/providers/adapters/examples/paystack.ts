import { paystackSignature } from '#lib/providers/adapters/paystack'
import { ID, inHeader, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const NGN = { amount: 1_255_000, currency: 'NGN' }
/** Our id in the letters that Paystack takes. */
const REFERENCE = ID.replace('_', '-')
const TRANSACTION = 9_007_199_254_740_991

/** Paystack's published API and its event samples. */
export const example: ProviderExample = {
  settings: { apiKey: 'sk_test_paystack' },
  configured: ([apiKey, ...webhookSecrets]) => ({ apiKey, webhookSecrets }),
  sign: inHeader('x-paystack-signature', paystackSignature),
  secretKey: 'apiKey',
  samples: [
    ['succeeded', { kind: 'succeeded', money: NGN, chargeId: '4099260516' }, [REF, '4099260516']],
    ['refunded', null, [REF]],
    [
      'disputed',
      {
        kind: 'dispute',
        state: 'open',
        disputeId: '358950',
        money: NGN,
        chargeId: '4099260516',
        reason: 'chargeback',
        respondBy: '2026-11-20T18:00:00.000Z',
      },
      [REF, '4099260516'],
    ],
  ],
  conversation: {
    currency: 'XOF',
    amount: 12_550,
    references: [String(TRANSACTION)],
    url: PAGE,
    script: {
      'POST /transaction/initialize': { status: true, data: { authorization_url: PAGE } },
      [`GET /transaction/verify/${REFERENCE}`]: {
        status: true,
        data: {
          id: TRANSACTION,
          status: 'success',
          reference: REFERENCE,
          amount: 1_255_000,
          fees: 24_500,
          currency: 'XOF',
          paid_at: '2026-11-18T11:06:30.000Z',
          created_at: '2026-11-18T11:05:02.000Z',
          metadata: '',
        },
      },
      [`GET /refund?transaction=${TRANSACTION}&from=2026-11-18&perPage=100&page=1`]: {
        status: true,
        data: [
          { id: 1, transaction: 4, status: 'processed', amount: 100, currency: 'XOF' },
          {
            id: 2,
            transaction: TRANSACTION,
            status: 'processed',
            amount: 5_000,
            currency: 'XOF',
            merchant_note: REFUND,
            createdAt: '2026-11-19T00:00:00.000Z',
          },
          {
            id: 3,
            transaction: TRANSACTION,
            status: 'needs-attention',
            amount: '6000',
            currency: 'XOF',
            merchant_note: 'by hand',
          },
        ],
      },
      [`GET /dispute?transaction=${TRANSACTION}&perPage=100&page=1`]: {
        status: true,
        data: [
          {
            id: 358_950,
            refund_amount: 10_000,
            currency: 'XOF',
            status: 'resolved',
            resolution: 'merchant-accepted',
            category: 'chargeback',
            resolvedAt: '2026-11-20T00:00:00.000Z',
            transaction: { id: TRANSACTION, reference: REFERENCE },
          },
        ],
      },
      'POST /refund': {
        status: true,
        data: { id: 4, transaction: { id: TRANSACTION }, status: 'pending', amount: 5_000 },
      },
    },
    start: {
      at: '/transaction/initialize',
      body: {
        amount: 1_255_000,
        currency: 'XOF',
        reference: REFERENCE,
        email: 'buyer@example.test',
        callback_url: `https://market.example/paid?payment=${ID}`,
        metadata: { payment_id: ID },
      },
    },
    refusal: {
      answer: {
        status: 400,
        json: {
          status: false,
          message: 'Currency not supported by merchant',
          type: 'validation_error',
          code: 'unsupported_currency',
        },
      },
      providerCode: 'unsupported_currency',
    },
    reading: {
      charges: [
        {
          kind: 'succeeded',
          money: { amount: 12_550, currency: 'XOF' },
          chargeId: String(TRANSACTION),
          at: '2026-11-18T11:06:30.000Z',
        },
      ],
      refunds: [
        {
          state: 'succeeded',
          providerRefundId: '2',
          refundId: REFUND,
          chargeId: String(TRANSACTION),
          money: { amount: 50, currency: 'XOF' },
          at: '2026-11-19T00:00:00.000Z',
        },
        { state: 'pending', providerRefundId: '3', refundId: null },
      ],
      disputes: [
        {
          disputeId: '358950',
          state: 'lost',
          money: { amount: 100, currency: 'XOF' },
          chargeId: String(TRANSACTION),
          at: '2026-11-20T00:00:00.000Z',
        },
      ],
      fees: [{ kind: 'fee', feeId: String(TRANSACTION), money: { amount: 245, currency: 'XOF' } }],
    },
    refund: {
      amount: 50,
      chargeId: String(TRANSACTION),
      at: '/refund',
      body: { transaction: String(TRANSACTION), amount: 5_000, merchant_note: REFUND },
      answers: { state: 'pending', providerRefundId: '4' },
    },
  },
}
