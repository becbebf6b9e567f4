import type { ProviderHttp } from '#lib/providers/provider'
import { openProviders } from '#lib/providers/registry'
import { inlineSettings, type ProviderSettings } from '#lib/providers/settings'

export const STRIPE_SECRET = 'whsec_test'
export const PAYSTACK_KEY = 'sk_test_paystack'
export const STANDARD_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Settings under which every provider of this service is switched on. */
export const SETTINGS: ProviderSettings = {
  stripe: { apiKey: 'sk_test_stripe', webhookSecrets: [STRIPE_SECRET] },
  paystack: { apiKey: PAYSTACK_KEY },
  'standard-webhooks': {
    webhookSecrets: [STANDARD_SECRET],
    checkoutUrl: 'https://pay.example/{paymentId}?amount={amount}&currency={currency}',
  },
  sandbox: { webhookSecrets: [STANDARD_SECRET] },
  wave: { apiKey: 'wave_test', webhookSecrets: ['wave_secret'] },
  'checkout-com': { apiKey: 'sk_cko', processingChannelId: 'pc_1', webhookSecrets: ['cko_secret'] },
  razorpay: { keyId: 'rzp_1', keySecret: 'rzp_key', webhookSecrets: ['rzp_secret'] },
  square: { accessToken: 'sq_1', locationId: 'L1', webhookSecrets: ['sq_secret'] },
  adyen: {
    apiKey: 'ady_1',
    merchantAccount: 'MarketECOM',
    webhookSecrets: ['44782DEF547AAA06C910C43932B1EB0C'],
  },
  flutterwave: { apiKey: 'flw_1', webhookSecrets: ['flw_secret'] },
  xendit: { apiKey: 'xnd_1', webhookSecrets: ['xnd_token'] },
  midtrans: { serverKey: 'SB-Mid-server-1' },
  cinetpay: { apiKey: 'cp_1', siteId: '445160', webhookSecrets: ['cp_secret'] },
  mercadopago: { accessToken: 'mp_1', webhookSecrets: ['mp_secret'] },
  mollie: { apiKey: 'mollie_1' },
  paypal: { clientId: 'pp_1', clientSecret: 'pp_key', webhookId: 'WH-1' },
  mpesa: { consumerKey: 'ck', consumerSecret: 'cs', shortCode: '174379', passkey: 'pk' },
  'mtn-momo': {
    apiUser: 'u',
    apiKey: 'k',
    subscriptionKey: 's',
    targetEnvironment: 'mtncameroon',
    disbursement: { apiUser: 'du', apiKey: 'dk', subscriptionKey: 'ds' },
  },
}

const nobodyAnswers: ProviderHttp = async ({ url }) => {
  throw new Error(`Nobody answers at ${url}`)
}

/** Providers as the service opens them, with the clock and the network of a test. */
export const testProviders = (
  settings: ProviderSettings = SETTINGS,
  { now = () => new Date(), http = nobodyAnswers }: { now?: () => Date; http?: ProviderHttp } = {},
) => openProviders(inlineSettings(settings), 'local', { http, now, publicUrl: 'https://api.platform.test' })
