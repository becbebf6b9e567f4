import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { defineProvider } from '../provider.ts'
import * as kit from '../provider-kit.ts'
import {
  STANDARD_WEBHOOKS_HEADERS,
  StandardWebhooksKeys,
  translateStandardWebhook,
  verifyStandardWebhook,
} from '../standard-webhooks.ts'

const config = z.object({
  webhookSecrets: StandardWebhooksKeys,
  apiBase: kit.apiBase('http://localhost:3000/local/sandbox'),
})

const Started = z.object({ id: z.string().min(1), url: z.url(), expiresAt: Timestamp })

/**
 * The provider of the local stack: a checkout page to click, served by `lib/local/sandbox.ts`, which calls
 * back as any gateway of one's own would. It moves no money and exists nowhere else.
 */
export const provider = defineProvider({
  config,
  open: ({ webhookSecrets, apiBase }, { http, now }) => ({
    currencies: 'any',
    countries: 'any',
    methods: ['POST'],
    readsHeaders: STANDARD_WEBHOOKS_HEADERS,
    acknowledgement: kit.ACKNOWLEDGED,
    verify: (request) => verifyStandardWebhook(request, webhookSecrets, now()),
    translate: (request) => translateStandardWebhook(request, now()),
    start: async ({ id, amount, currency, returnUrl }) => {
      const answer = await http({
        method: 'POST',
        url: `${apiBase}/checkouts`,
        headers: { 'content-type': 'application/json', 'idempotency-key': id },
        body: JSON.stringify({ reference: id, amount, currency, returnUrl }),
      })
      const { id: checkoutId, url, expiresAt } = kit.answered(Started, answer)
      return { url, expiresAt, references: [checkoutId] }
    },
  }),
})
