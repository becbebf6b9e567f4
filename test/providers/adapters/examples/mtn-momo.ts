import { uuidOf } from '#lib/providers/kit/api'
import { ID, KEY, type ProviderExample, REF, REFUND } from '../example.ts'

const XAF = { amount: 12_550, currency: 'XAF' }
const REQUEST = uuidOf(ID)

/** MTN's documentation of collections and disbursements, from secondary sources. Its callbacks are not signed. */
export const example: ProviderExample = {
  settings: {
    apiUser: 'u',
    apiKey: 'k',
    subscriptionKey: 's',
    targetEnvironment: 'mtncameroon',
    disbursement: { apiUser: 'du', apiKey: 'dk', subscriptionKey: 'ds' },
  },
  sign: 'unsigned',
  samples: [
    ['succeeded', { kind: 'succeeded', money: XAF, chargeId: uuidOf(REF) }, [REF, '23503452']],
    ['failed', { kind: 'failed', final: true, code: 'NOT_ENOUGH_FUNDS' }, [REF]],
  ],
  conversation: {
    currency: 'XAF',
    amount: 12_550,
    references: [REQUEST, '2350'],
    url: null,
    script: {
      'POST /collection/token/': { access_token: 'c', expires_in: 3600 },
      'POST /disbursement/token/': { access_token: 'd', expires_in: 3600 },
      'POST /collection/v1_0/requesttopay': {},
      [`GET /collection/v1_0/requesttopay/${REQUEST}`]: {
        externalId: ID,
        financialTransactionId: '2350',
        amount: '12550',
        currency: 'XAF',
        status: 'SUCCESSFUL',
      },
      [`GET /disbursement/v1_0/refund/${uuidOf(KEY)}`]: {
        externalId: REFUND,
        amount: '50',
        currency: 'XAF',
        status: 'FAILED',
      },
      'POST /disbursement/v1_0/refund': {},
    },
    start: {
      at: '/collection/v1_0/requesttopay',
      key: ['x-reference-id', REQUEST],
      expiresAt: null,
      body: {
        amount: '12550',
        currency: 'XAF',
        externalId: ID,
        payer: { partyIdType: 'MSISDN', partyId: '254708374149' },
      },
    },
    refusal: {
      answer: { status: 400, json: { code: 'INVALID_MSISDN', message: 'The number is not valid' } },
      providerCode: 'INVALID_MSISDN',
    },
    reading: {
      charges: [{ kind: 'succeeded', money: XAF, chargeId: REQUEST }],
      // The first attempt never came there.
      refunds: [
        {
          state: 'failed',
          providerRefundId: uuidOf(KEY),
          refundId: REFUND,
          chargeId: REQUEST,
          money: { amount: 50, currency: 'XAF' },
        },
      ],
    },
    refund: {
      amount: 50,
      chargeId: REQUEST,
      at: '/disbursement/v1_0/refund',
      key: ['x-reference-id', uuidOf(KEY)],
      body: { amount: '50', externalId: REFUND, referenceIdToRefund: REQUEST },
      answers: { state: 'pending', providerRefundId: uuidOf(KEY) },
    },
  },
}
