import { checkoutComSignature } from '#lib/providers/adapters/checkout-com'
import { ID, inHeader, KEY, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const EUR = { amount: 12_550, currency: 'EUR' }
const PAYMENT = 'pay_examplepayment00000000001'

/** Checkout.com's documented pages, actions and disputes. */
export const example: ProviderExample = {
  settings: { apiKey: 'sk_cko', processingChannelId: 'pc_1', webhookSecrets: ['cko_secret'] },
  sign: inHeader('cko-signature', checkoutComSignature),
  samples: [
    ['succeeded', { kind: 'succeeded', money: EUR, chargeId: PAYMENT }, [REF, PAYMENT]],
    ['failed', { kind: 'failed', final: false, code: '20051' }, [REF]],
    [
      'refunded',
      {
        kind: 'refund',
        state: 'succeeded',
        money: { amount: 5_000, currency: 'EUR' },
        providerRefundId: 'act_example0000000000000000003',
        chargeId: PAYMENT,
      },
      [PAYMENT],
    ],
    [
      'disputed',
      {
        kind: 'dispute',
        state: 'open',
        disputeId: 'dsp_example00000000001',
        money: EUR,
        chargeId: PAYMENT,
        reason: '10.4',
      },
      [REF, PAYMENT],
    ],
  ],
  conversation: {
    currency: 'EUR',
    amount: 12_550,
    url: PAGE,
    references: ['hpp_1', 'pay_1'],
    script: {
      'POST /hosted-payments': { id: 'hpp_1', _links: { redirect: { href: PAGE } } },
      'GET /hosted-payments/hpp_1': { id: 'hpp_1', status: 'Payment Received', payment_id: 'pay_2' },
      [`GET /payments?reference=${ID}&limit=100&skip=0`]: {
        total_count: 2,
        data: [{ id: 'pay_2', status: 'Partially Refunded' }, { id: 'pay_1' }],
      },
      'GET /payments/pay_1': { id: 'pay_1', status: 'Declined', reference: ID, response_code: '20051' },
      'GET /payments/pay_2': {
        id: 'pay_2',
        status: 'Partially Refunded',
        reference: ID,
        amount: 12_550,
        currency: 'EUR',
        requested_on: '2026-11-18T11:06:37Z',
      },
      'GET /payments/pay_2/actions': [
        { id: 'act_3', type: 'Refund', amount: 70, approved: false, reference: 'by hand' },
        {
          id: 'act_2',
          type: 'Refund',
          amount: 50,
          approved: true,
          reference: REFUND,
          processed_on: '2026-11-19T00:00:00Z',
        },
        { id: 'act_1', type: 'Capture', amount: 12_550, approved: true, reference: ID },
      ],
      'GET /disputes?payment_id=pay_2&limit=250&skip=0': {
        total_count: 2,
        data: [
          {
            id: 'dsp_1',
            status: 'evidence_required',
            amount: 100,
            currency: 'EUR',
            reason_code: '10.4',
            evidence_required_by: '2026-12-01T00:00:00Z',
            last_update: '2026-11-20T00:00:00Z',
          },
        ],
      },
      'GET /disputes?payment_id=pay_2&limit=250&skip=1': {
        total_count: 2,
        data: [{ id: 'dsp_2', status: 'won', amount: 200, currency: 'EUR' }],
      },
      'POST /payments/pay_2/refunds': { action_id: 'act_4' },
    },
    start: {
      at: '/hosted-payments',
      body: {
        amount: 12_550,
        reference: ID,
        processing_channel_id: 'pc_1',
        customer: { email: 'buyer@example.test', name: 'Awa Koné' },
        billing: { address: { country: 'CI' } },
        success_url: `https://market.example/paid?payment=${ID}`,
      },
    },
    refusal: {
      answer: {
        status: 422,
        json: { error_type: 'request_invalid', error_codes: ['currency_not_supported'] },
      },
      providerCode: 'currency_not_supported',
    },
    reading: {
      charges: [{ kind: 'succeeded', money: EUR, chargeId: 'pay_2', at: '2026-11-18T11:06:37.000Z' }],
      refunds: [
        { state: 'failed', providerRefundId: 'act_3', refundId: null, chargeId: 'pay_2' },
        {
          state: 'succeeded',
          providerRefundId: 'act_2',
          refundId: REFUND,
          money: { amount: 50, currency: 'EUR' },
        },
      ],
      disputes: [
        {
          disputeId: 'dsp_1',
          state: 'open',
          money: { amount: 100, currency: 'EUR' },
          respondBy: '2026-12-01T00:00:00.000Z',
          at: '2026-11-20T00:00:00.000Z',
        },
        { disputeId: 'dsp_2', state: 'won' },
      ],
    },
    refund: {
      amount: 50,
      chargeId: 'pay_2',
      at: '/payments/pay_2/refunds',
      key: ['cko-idempotency-key', KEY],
      body: { amount: 50, reference: REFUND },
      answers: { state: 'pending', providerRefundId: 'act_4' },
    },
  },
}
