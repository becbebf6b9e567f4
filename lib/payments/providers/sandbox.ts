import * as z from 'zod'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import type { Statement } from '../fact.ts'
import * as kit from '../provider/kit/kit.ts'
import {
  STANDARD_WEBHOOKS_HEADERS,
  StandardWebhooksKeys,
  translateStandardWebhook,
  verifyStandardWebhook,
} from '../provider/kit/standard-webhooks.ts'
import * as wire from '../provider/kit/wire.ts'
import { defineProvider, type ProviderEvent } from '../provider/provider.ts'

const config = z.object({
  webhookSecrets: StandardWebhooksKeys,
  apiBase: kit.apiBase('http://localhost:3000/local/sandbox'),
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

/** Everything a checkout tells of its payment, as its callbacks would. */
function toldBy(checkout: Asked, at: Timestamp): ProviderEvent[] {
  const { id, reference, state, amount, currency, refunds, disputed } = checkout
  const event = (what: string, statement: Statement) =>
    kit.eventOf(
      { eventId: `${id}:${what}`, type: `asked.${what}` },
      { references: [reference, id], statement },
    )
  const declined = { final: true, code: 'declined', message: 'The sandbox was asked to fail.' }
  if (state === 'open') return []
  if (state === 'failed') return [event(state, { kind: 'failed', at, ...declined })]
  if (state === 'cancelled') return [event(state, { kind: 'cancelled', at })]
  const given = refunds.map((refund) =>
    event(
      `refund:${refund.id}`,
      kit.refundOf(at, { id: refund.id, money: kit.moneyOf(refund.amount, currency), state: 'succeeded' }),
    ),
  )
  return [
    event(state, { kind: 'succeeded', at, money: kit.moneyOf(amount, currency) }),
    ...given,
    ...(disputed
      ? [event('disputed', { kind: 'dispute', at, disputeId: `${id}_dispute`, state: 'opened' })]
      : []),
  ]
}

/**
 * The provider of the local stack: a checkout page to click, served by `lib/local/sandbox/sandbox-server.ts`, which calls
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
      const { id: checkoutId, url, expiresAt } = wire.answered(Started, answer)
      return { url, expiresAt, references: [checkoutId] }
    },
    ask: async ({ references }) => {
      const id = references.find((reference) => reference.startsWith('sbx_'))
      if (!id) return []
      const answer = await http({ method: 'GET', url: `${apiBase}/checkouts/${id}` })
      return answer.status === 404 ? [] : toldBy(wire.answered(Asked, answer), timestamp(now()))
    },
    findsRefunds: true,
    refund: async ({ id, payment, amount, reason }) => {
      const checkout = payment.references.find((reference) => reference.startsWith('sbx_'))
      const answer = await http({
        method: 'POST',
        url: `${apiBase}/checkouts/${checkout}/refunds`,
        headers: { 'content-type': 'application/json', 'idempotency-key': id },
        body: JSON.stringify({ id, amount, reason }),
        repeatable: true,
      })
      if (answer.status === 409) return { state: 'failed', providerRefundId: null }
      return { state: 'succeeded', providerRefundId: wire.answered(Refunded, answer).id }
    },
    cancel: async ({ references }) => {
      const id = references.find((reference) => reference.startsWith('sbx_'))
      if (id) await http({ method: 'POST', url: `${apiBase}/checkouts/${id}/cancellation` })
    },
  }),
})
