import { adyenSignature } from '#lib/providers/adapters/adyen'
import { EXPIRES_AT, ID, KEY, PAGE, type ProviderExample, REF, REFUND } from '../example.ts'

const EUR = { amount: 12_550, currency: 'EUR' }
const PAYMENT = 'NC6HT9CRT65ZGN82'

type Item = Parameters<typeof adyenSignature>[1] & { additionalData: object }
type Body = { notificationItems: { NotificationRequestItem: Item }[] }

/** Adyen's published API of version 72 and its published webhooks. */
export const example: ProviderExample = {
  settings: {
    apiKey: 'ady_1',
    merchantAccount: 'MarketECOM',
    webhookSecrets: ['44782DEF547AAA06C910C43932B1EB0C'],
  },
  sign: (secret, sample) => {
    const body: Body = JSON.parse(JSON.stringify(sample))
    for (const { NotificationRequestItem: item } of body.notificationItems)
      item.additionalData = { hmacSignature: adyenSignature(Buffer.from(secret, 'hex'), item) }
    return { rawBody: JSON.stringify(body), headers: {} }
  },
  samples: [
    ['succeeded', { kind: 'succeeded', money: EUR, chargeId: PAYMENT }, [REF, PAYMENT]],
    ['failed', { kind: 'failed', final: false }, [REF]],
    [
      'refunded',
      {
        kind: 'refund',
        state: 'succeeded',
        money: { amount: 5_000, currency: 'EUR' },
        providerRefundId: 'QFQTPCQ8HXSKGK82',
        chargeId: PAYMENT,
      },
      [PAYMENT],
    ],
    [
      'disputed',
      { kind: 'dispute', state: 'open', disputeId: 'LDQTPCQ8HXSKGK99', chargeId: PAYMENT, money: EUR },
      [REF, PAYMENT],
    ],
  ],
  conversation: {
    currency: 'ISK',
    amount: 1_500,
    url: PAGE,
    references: ['PL1', PAYMENT],
    script: {
      'POST /v72/paymentLinks': { id: 'PL1', url: PAGE, expiresAt: '2026-11-21T13:00:00+01:00' },
      [`POST /v72/payments/${PAYMENT}/refunds`]: { pspReference: 'RF1', status: 'received' },
      'PATCH /v72/paymentLinks/PL1': { id: 'PL1', url: PAGE, status: 'expired' },
    },
    start: {
      at: '/v72/paymentLinks',
      key: ['idempotency-key', ID],
      expiresAt: EXPIRES_AT,
      body: {
        merchantAccount: 'MarketECOM',
        reference: ID,
        amount: { value: 150_000, currency: 'ISK' },
        captureDelayHours: 0,
        expiresAt: EXPIRES_AT,
        returnUrl: `https://market.example/paid?payment=${ID}`,
      },
    },
    refusal: {
      answer: {
        status: 422,
        json: { status: 422, errorCode: '100', message: 'No amount specified', errorType: 'validation' },
      },
      providerCode: '100',
    },
    refund: {
      amount: 50,
      chargeId: PAYMENT,
      at: `/v72/payments/${PAYMENT}/refunds`,
      key: ['idempotency-key', KEY],
      body: { amount: { value: 5_000, currency: 'ISK' }, reference: REFUND },
      answers: { state: 'pending', providerRefundId: 'RF1' },
    },
    close: {
      method: 'PATCH',
      at: '/v72/paymentLinks/PL1',
      body: { status: 'expired' },
      open: {
        'PATCH /v72/paymentLinks/PL1': { status: 422, json: { errorCode: '14_036' } },
        'GET /v72/paymentLinks/PL1': { id: 'PL1', url: PAGE, status: 'completed' },
      },
    },
  },
}
