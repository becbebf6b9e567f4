import { cinetpaySignature } from '#lib/providers/adapters/cinetpay'
import { ID, PAGE, type ProviderExample, REF } from '../example.ts'

const XOF = { amount: 12_550, currency: 'XOF' }

/** CinetPay's documentation of version 2: "Initiating a payment", "Notification url", "Verify transaction". */
export const example: ProviderExample = {
  settings: { apiKey: 'cp_1', siteId: '445160', webhookSecrets: ['cp_secret'] },
  sign: (secret, sample) => {
    const form: Record<string, string> = JSON.parse(JSON.stringify(sample))
    const rawBody = new URLSearchParams(form).toString()
    return { rawBody, headers: { 'x-token': cinetpaySignature(secret, Buffer.from(rawBody)) } }
  },
  samples: [
    ['succeeded', { kind: 'succeeded', money: XOF, chargeId: REF }, [REF]],
    ['failed', { kind: 'failed', final: false, code: 'INSUFFICIENT_BALANCE' }, [REF]],
  ],
  conversation: {
    currency: 'XOF',
    amount: 12_550,
    references: ['OM1'],
    url: PAGE,
    script: {
      'POST /v2/payment': { code: '201', data: { payment_url: PAGE } },
      'POST /v2/payment/check': {
        code: '00',
        message: 'SUCCES',
        data: { status: 'ACCEPTED', amount: '12550', currency: 'XOF', operator_id: 'OM1' },
      },
    },
    start: {
      at: '/v2/payment',
      expiresAt: null,
      body: {
        transaction_id: ID,
        amount: 12_550,
        notify_url: 'https://api.platform.test/payments/callback/cinetpay',
        site_id: '445160',
        customer_name: 'Awa',
        customer_surname: 'Koné',
        customer_email: 'buyer@example.test',
        customer_phone_number: '+254708374149',
        customer_country: 'CI',
      },
    },
    refusal: {
      answer: {
        status: 400,
        json: { code: '608', message: 'MINIMUM_REQUIRED_FIELDS', description: 'The amount is too small' },
      },
      providerCode: '608',
    },
    reading: { charges: [{ kind: 'succeeded', money: XOF, chargeId: ID }] },
  },
}
