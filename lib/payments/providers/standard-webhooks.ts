import * as z from 'zod'
import * as events from '../provider/kit/events.ts'
import {
  STANDARD_WEBHOOKS_HEADERS,
  StandardWebhooksKeys,
  translateStandardWebhook,
  verifyStandardWebhook,
} from '../provider/kit/standard-webhooks.ts'
import { defineProvider } from '../provider/provider.ts'

const config = z.object({
  webhookSecrets: StandardWebhooksKeys,
  /** With `{paymentId}`, `{amount}` in minor units, and `{currency}`. */
  checkoutUrl: z
    .string()
    .trim()
    .regex(/^https?:\/\//),
})

/**
 * One's own gateway, signed as the Standard Webhooks specification asks. It is not called: the payer is sent
 * to an address made from a template, and the gateway reports back under the payment id it finds there. The
 * specification knows callbacks only: nobody can be asked, and refunds are made at the gateway, which tells of them.
 */
export const provider = defineProvider({
  config,
  open: ({ webhookSecrets, checkoutUrl }, { now }) => ({
    currencies: 'any',
    countries: 'any',
    methods: ['POST'],
    readsHeaders: STANDARD_WEBHOOKS_HEADERS,
    acknowledgement: events.ACKNOWLEDGED,
    verify: (request) => verifyStandardWebhook(request, webhookSecrets, now()),
    translate: (request) => translateStandardWebhook(request, now()),
    start: async ({ id, amount, currency }) => {
      const values: Record<string, string> = { paymentId: id, amount: String(amount), currency }
      const url = checkoutUrl.replace(/\{(paymentId|amount|currency)\}/g, (_, name) => values[name] ?? '')
      return { url, expiresAt: null, references: [] }
    },
  }),
})
