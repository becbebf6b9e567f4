import { flutterwaveSignature } from '#lib/payments/providers/flutterwave'
import { ID, inHeader, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const NGN = { amount: 1_255_000, currency: 'NGN' }

/** Flutterwave's documentation of version 3; of version 4 only callbacks are read. */
export const example: ProviderExample = {
  sign: inHeader('flutterwave-signature', flutterwaveSignature),
  samples: [
    [
      'v3_succeeded',
      { kind: 'succeeded', money: NGN, chargeId: '408136545' },
      [REF, '408136545', 'FLW-MOCK-9f1'],
    ],
    ['v3_failed', { kind: 'failed', final: false, message: 'Declined' }, [REF]],
    [
      'v4_succeeded',
      { kind: 'succeeded', money: NGN, chargeId: 'chg_exampleOk01' },
      [REF, 'chg_exampleOk01'],
    ],
    ['v4_failed', { kind: 'failed', final: true, code: 'insufficient_funds' }, [REF]],
  ],
  conversation: {
    currency: 'NGN',
    amount: 1_255_000,
    references: ['4081', 'FLW-1'],
    url: PAGE,
    script: {
      'POST /v3/payments': { data: { link: PAGE } },
      'GET /v3/transactions/4081/verify': {
        data: {
          id: 4081,
          tx_ref: ID,
          flw_ref: 'FLW-1',
          amount: 12_550,
          app_fee: 175.7,
          currency: 'NGN',
          status: 'successful',
          created_at: '2026-11-18T11:06:30.000Z',
        },
      },
      'GET /v3/refunds?from=2026-11-18&page=1': {
        data: [
          { id: 76, transaction_id: 4080, amount_refunded: 20, status: 'completed-momo' },
          { id: 77, transaction_id: 4081, comment: REFUND, amount_refunded: 10, status: 'completed' },
        ],
        meta: { page_info: { total_pages: 2 } },
      },
      'GET /v3/refunds?from=2026-11-18&page=2': {
        data: [{ id: 78, tx_id: 4081, comments: 'by hand', amount_refunded: 5, status: 'completed-mpgs' }],
        meta: { page_info: { total_pages: 2 } },
      },
      'POST /v3/transactions/4081/refund': { data: { id: 79, status: 'completed', amount_refunded: 10 } },
    },
    start: { at: '/v3/payments', body: { tx_ref: ID, amount: '12550.00', currency: 'NGN' } },
    refusal: {
      answer: { status: 400, json: { status: 'error', message: 'Invalid currency', data: null } },
      providerCode: null,
    },
    reading: {
      charges: [{ kind: 'succeeded', money: NGN, chargeId: '4081' }],
      refunds: [
        {
          state: 'pending',
          providerRefundId: '77',
          refundId: REFUND,
          money: { amount: 1000, currency: 'NGN' },
        },
        { state: 'succeeded', providerRefundId: '78', refundId: null },
      ],
      fees: [{ kind: 'fee', feeId: '4081', money: { amount: 17_570, currency: 'NGN' } }],
    },
    refund: {
      amount: 1_000,
      chargeId: '4081',
      at: '/v3/transactions/4081/refund',
      body: { amount: '10.00', comments: REFUND },
      answers: { state: 'pending', providerRefundId: '79' },
    },
  },
}
