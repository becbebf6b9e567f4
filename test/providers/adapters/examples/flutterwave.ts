import { flutterwaveSignature } from '#lib/providers/adapters/flutterwave'
import { ID, inHeader, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const NGN = { amount: 1_255_000, currency: 'NGN' }

/** Flutterwave's documentation of version 3; of version 4 only callbacks are read. */
export const example: ProviderExample = {
  settings: { apiKey: 'flw_1', webhookSecrets: ['flw_secret'] },
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
      // Newest first: the payer has tried twice.
      [`GET /v3/transactions?tx_ref=${ID}&page=1`]: {
        data: [
          {
            id: 4081,
            tx_ref: ID,
            flw_ref: 'FLW-1',
            amount: 12_550,
            app_fee: 175.7,
            currency: 'NGN',
            status: 'successful',
            created_at: '2026-11-18T11:06:30.000Z',
          },
          { id: 4079, tx_ref: ID, flw_ref: 'FLW-0', amount: 12_550, currency: 'NGN', status: 'failed' },
        ],
        meta: { page_info: { total: 2, current_page: 1, total_pages: 1 } },
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
      // The documentation's sample of a chargeback, under the ids of this conversation, between two others.
      'GET /v3/chargebacks?flw_ref=FLW-1&page=1': {
        meta: { page_info: { total: 3, current_page: 1, total_pages: 2, page_size: 20 } },
        data: [
          { id: 1389, amount: 100, flw_ref: 'FLW-1', status: 'lost', stage: 'new', transaction_id: 4080 },
          {
            id: 1390,
            amount: 100,
            flw_ref: 'FLW-1',
            status: 'lost',
            stage: 'new',
            comment: 'This is the payment',
            meta: {
              uploaded_proof: null,
              history: [
                {
                  initiator: 'dispute',
                  date: '2026-11-19T07:01:28.000Z',
                  description: 'Dispute transaction',
                },
                { action: 'lost', date: '2026-11-20T04:03:05.000Z', description: 'No merchant response' },
              ],
            },
            due_date: '2026-11-20T15:59:59.000Z',
            settlement_id: 'N/A',
            created_at: '2026-11-19T19:01:28.000Z',
            transaction_id: 4081,
            tx_ref: ID,
          },
        ],
      },
      'GET /v3/chargebacks?flw_ref=FLW-1&page=2': {
        meta: { page_info: { total_pages: 2 } },
        data: [{ id: 1391, amount: 50.5, status: 'declined', transaction_id: 4081, meta: 'none' }],
      },
      'POST /v3/transactions/4081/refund': { data: { id: 79, status: 'completed', amount_refunded: 10 } },
    },
    start: {
      at: '/v3/payments',
      body: {
        tx_ref: ID,
        amount: '12550.00',
        currency: 'NGN',
        configurations: { session_duration: 24 * 60 },
      },
    },
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
      disputes: [
        {
          disputeId: '1390',
          state: 'lost',
          money: { amount: 10_000, currency: 'NGN' },
          chargeId: '4081',
          reason: 'This is the payment',
          respondBy: '2026-11-20T15:59:59.000Z',
          at: '2026-11-20T04:03:05.000Z',
        },
        { disputeId: '1391', state: 'open', money: { amount: 5_050, currency: 'NGN' } },
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
