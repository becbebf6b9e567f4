import { expect } from 'vitest'
import { ID, type ProviderExample } from '../example.ts'

const KES = { amount: 125_500, currency: 'KES' }
const REQUEST = 'ws_CO_18112026140640123708374149'

/** Safaricom's Daraja, from secondary sources. Its callbacks are not signed. */
export const example: ProviderExample = {
  settings: { consumerKey: 'ck', consumerSecret: 'cs', shortCode: '174379', passkey: 'pk' },
  sign: 'unsigned',
  samples: [
    ['succeeded', { kind: 'succeeded', money: KES, chargeId: REQUEST }, [REQUEST]],
    ['failed', { kind: 'cancelled' }, [REQUEST]],
  ],
  conversation: {
    currency: 'KES',
    amount: 125_500,
    references: ['ws_CO_1'],
    url: null,
    script: {
      'GET /oauth/v1/generate?grant_type=client_credentials': { access_token: 't', expires_in: '3599' },
      'POST /mpesa/stkpush/v1/processrequest': { CheckoutRequestID: 'ws_CO_1', ResponseCode: '0' },
      'POST /mpesa/stkpushquery/v1/query': { ResultCode: '0', ResultDesc: 'ok' },
    },
    start: {
      at: '/mpesa/stkpush/v1/processrequest',
      expiresAt: null,
      body: {
        Amount: 1_255,
        PhoneNumber: '254708374149',
        PartyB: '174379',
        CallBackURL: expect.stringMatching(
          `^https://api.platform.test/payments/callback/mpesa\\?payment=${ID}&token=[0-9a-f]{64}$`,
        ),
      },
    },
    refusal: {
      answer: {
        status: 400,
        json: { requestId: '1', errorCode: '400.002.02', errorMessage: 'Bad Request - Invalid PhoneNumber' },
      },
      providerCode: '400.002.02',
    },
    reading: { charges: [{ kind: 'succeeded', money: KES, chargeId: 'ws_CO_1' }] },
  },
}
