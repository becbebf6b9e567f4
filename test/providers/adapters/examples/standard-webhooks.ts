import { signStandardWebhook } from '#lib/kernel/signatures'
import { ID, type ProviderExample, STANDARD_SECRET } from '../example.ts'

/** The Standard Webhooks specification 1.0.0, and the contract's own words for what is in a message. */
export const example: ProviderExample = {
  settings: {
    webhookSecrets: [STANDARD_SECRET],
    checkoutUrl: 'https://pay.example/{paymentId}?amount={amount}&currency={currency}',
  },
  sign: (secret, sample, sentAtSeconds) => {
    const rawBody = JSON.stringify(sample)
    const message = { id: 'msg_1', sentAtSeconds, rawBody: Buffer.from(rawBody) }
    return { rawBody, headers: signStandardWebhook([secret], message) }
  },
  samples: [
    [
      'succeeded',
      { kind: 'succeeded', money: { amount: 12_550, currency: 'EUR' }, chargeId: 'txn_example1' },
      ['mkt_pay_7f3a2c91'],
    ],
  ],
  conversation: {
    currency: 'EUR',
    amount: 12_550,
    references: [],
    url: `https://pay.example/${ID}?amount=12550&currency=EUR`,
    script: {},
    start: { at: '' },
  },
}
