import * as z from 'zod'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import {
  STANDARD_WEBHOOKS_HEADERS,
  StandardWebhooksKeys,
  translateStandardWebhook,
  verifyStandardWebhook,
} from '../provider/kit/standard-webhooks.ts'
import * as statements from '../provider/kit/statements.ts'
import { defineProvider, type PaymentReading } from '../provider/provider.ts'

const config = z.object({
  webhookSecrets: StandardWebhooksKeys,
  apiBase: settings.apiBase('http://localhost:3000/local/sandbox'),
})

const Started = z.object({ id: z.string().min(1), url: z.url(), expiresAt: Timestamp })
const Asked = z.object({
  id: z.string(),
  reference: z.string(),
  state: z.enum(['open', 'failed', 'cancelled', 'paid']),
  amount: z.number(),
  currency: z.string(),
  refunds: z.array(z.object({ id: z.string(), amount: z.number() })),
  disputed: z.boolean(),
})
type Asked = z.infer<typeof Asked>
const Refunded = z.object({ id: z.string() })

const isCheckout = (reference: string): boolean => reference.startsWith('sbx_')

/** How a checkout stands as long as nobody has paid. */
function standing({ state }: Asked, at: Timestamp): PaymentReading['charges'] {
  if (state === 'cancelled') return [{ kind: state, at }]
  if (state !== 'failed') return []
  return [statements.failed(at, { code: 'declined', message: 'The sandbox was asked to fail.' })]
}

/** Everything a checkout says of its payment. */
function readingOf(checkout: Asked, at: Timestamp): PaymentReading {
  const { id, reference, state, amount, currency, refunds, disputed } = checkout
  const references = [reference, id]
  if (state !== 'paid') return statements.readingOf({ references, charges: standing(checkout, at) })
  return statements.readingOf({
    references,
    charges: [statements.chargeOf(at, { id, money: amounts.moneyOf(amount, currency) })],
    refunds: refunds.map((refund) =>
      statements.refundOf(at, {
        id: refund.id,
        money: amounts.moneyOf(refund.amount, currency),
        state: 'succeeded',
        ours: refund.id.slice(`${id}_`.length),
      }),
    ),
    disputes: disputed ? [statements.disputeOf(at, { id: `${id}_dispute`, state: 'open' })] : [],
  })
}

/**
 * The provider of the local stack: a checkout page to click, served by `lib/local/sandbox/sandbox-server.ts`, which calls
 * back as any gateway of one's own would. It moves no money and exists nowhere else.
 */
export const provider = defineProvider({
  config,
  onlyAt: 'local',
  open: ({ webhookSecrets, apiBase }, { http, now }) => ({
    currencies: 'any',
    countries: 'any',
    methods: ['POST'],
    readsHeaders: STANDARD_WEBHOOKS_HEADERS,
    acknowledgement: events.ACKNOWLEDGED,
    verify: (request) => verifyStandardWebhook(request, webhookSecrets, now()),
    translate: (request) => translateStandardWebhook(request, now()),
    start: async ({ id, amount, currency, returnUrl }) => {
      const answer = await http({
        method: 'POST',
        url: `${apiBase}/checkouts`,
        headers: { 'content-type': 'application/json', 'idempotency-key': id },
        body: JSON.stringify({ reference: id, amount, currency, returnUrl }),
      })
      const { id: checkoutId, url, expiresAt } = wire.answered(Started, answer)
      return { url, expiresAt, references: [checkoutId] }
    },
    close: async ({ references }) => {
      const id = references.find(isCheckout)
      if (!id) return false
      const answer = await http({ method: 'POST', url: `${apiBase}/checkouts/${id}/cancellation` })
      return answer.status < 300
    },
    readPayment: async ({ references }) => {
      const id = references.find(isCheckout)
      if (!id) return null
      const checkout = wire.plainIn(Asked, await http({ method: 'GET', url: `${apiBase}/checkouts/${id}` }))
      return checkout ? readingOf(checkout, timestamp(now())) : null
    },
    startRefund: async ({ key, payment, amount, reason }) => {
      const answer = await http({
        method: 'POST',
        url: `${apiBase}/checkouts/${payment.references.find(isCheckout)}/refunds`,
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ id: key, amount, reason }),
        repeatable: true,
      })
      if (answer.status === 409 || wire.isRefusal(answer)) return wire.REFUSED
      return { state: 'succeeded', providerRefundId: wire.answered(Refunded, answer).id }
    },
  }),
})
