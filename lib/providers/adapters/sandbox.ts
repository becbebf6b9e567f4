import * as z from 'zod'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import {
  interpretStandardWebhook,
  isSignedStandardWebhook,
  STANDARD_WEBHOOKS_HEADERS,
  StandardWebhooksKeys,
} from '../kit/standard-webhooks.ts'
import * as statements from '../kit/statements.ts'
import { numberOf, type PayoutState } from '../payout-port.ts'
import { defineProvider } from '../provider.ts'

const config = z.object({
  webhookSecrets: StandardWebhooksKeys,
  apiBase: settings.apiBase('http://localhost:3000/local/sandbox'),
})

const Started = z.object({ id: z.string().min(1), url: z.url(), expiresAt: Timestamp })
const ReadCheckout = z.object({
  id: z.string(),
  reference: z.string(),
  state: z.enum(['open', 'failed', 'cancelled', 'closed', 'paid']),
  amount: z.number(),
  currency: z.string(),
  secondCharge: z.object({ id: z.string(), amount: z.number() }).nullable(),
  refunds: z.array(z.object({ id: z.string(), amount: z.number(), chargeId: z.string().nullable() })),
  disputed: z.boolean(),
  disputeOutcome: z.enum(['won', 'lost']).nullable(),
})
type ReadCheckout = z.infer<typeof ReadCheckout>
const Refunded = z.object({ id: z.string() })
const PaidOut = z.object({ id: z.string(), state: z.enum(['paid', 'failed']) })

/** Finds the id of the checkout among the ids of a payment; each charge's id begins with it. */
const checkoutIn = (references: readonly string[]): string | undefined =>
  references.flatMap((reference) => reference.match(/^sbx_[0-9a-z]+/)?.[0] ?? [])[0]

/** Interprets an unpaid checkout. A payment that we closed has no statement of its own. */
function chargeState({ state }: ReadCheckout, at: Timestamp): PaymentReading['charges'] {
  if (state === 'cancelled') return [{ kind: state, at }]
  if (state !== 'failed') return []
  return [statements.failureOf(at, { code: 'declined', message: 'The sandbox was asked to fail.' })]
}

/** Interprets everything that a checkout says of its payment. */
function readingOf(checkout: ReadCheckout, at: Timestamp): PaymentReading {
  const { id, reference, state, currency, refunds, disputed, disputeOutcome, secondCharge } = checkout
  const references = [reference, id]
  if (state !== 'paid') return statements.readingOf({ references, charges: chargeState(checkout, at) })
  const money = (amount: number) => amounts.moneyOf(amount, currency)
  return statements.readingOf({
    references,
    charges: [checkout, ...(secondCharge ? [secondCharge] : [])].map((charge) =>
      statements.chargeOf(at, { id: charge.id, money: money(charge.amount) }),
    ),
    refunds: refunds.map((refund) =>
      statements.refundOf(at, {
        id: refund.id,
        money: money(refund.amount),
        state: 'succeeded',
        chargeId: refund.chargeId ?? id,
        // The id is the checkout's, `_`, and the id that we sent. A refund made on the page has none of ours.
        ours: refund.id.slice(`${id}_`.length),
      }),
    ),
    disputes: disputed
      ? [statements.disputeOf(at, { id: `${id}_dispute`, state: disputeOutcome ?? 'open' })]
      : [],
  })
}

const payoutState = ({ id, state }: z.infer<typeof PaidOut>): PayoutState => ({
  state,
  reference: id,
  ...(state === 'failed' && { failure: { code: 'account_refused', message: 'The account takes no money.' } }),
})

/**
 * The provider of the local stack: a checkout page to click, served by `lib/local/sandbox/sandbox-server.ts`. Its
 * callbacks are Standard Webhooks. It moves no money and exists on the local stack alone.
 */
export const provider = defineProvider({
  config,
  onlyAt: 'local',
  open: ({ webhookSecrets, apiBase }, { http, now }) => ({
    currencies: 'any',
    countries: 'any',
    callbackMethods: ['POST'],
    storedHeaders: STANDARD_WEBHOOKS_HEADERS,
    acknowledgement: events.ACKNOWLEDGED,
    verify: (request) => (isSignedStandardWebhook(request, webhookSecrets, now()) ? 'signed' : 'forged'),
    interpret: (request) => [interpretStandardWebhook(request)],
    start: async ({ id, amount, currency, returnUrl }) => {
      const answer = await http({
        method: 'POST',
        url: `${apiBase}/checkouts`,
        headers: { 'content-type': 'application/json', 'idempotency-key': id },
        body: JSON.stringify({ reference: id, amount, currency, returnUrl }),
      })
      const { id: checkoutId, url, expiresAt } = wire.readAnswer(Started, answer)
      return { url, expiresAt, references: [checkoutId] }
    },
    close: async ({ references }) => {
      const id = checkoutIn(references)
      if (!id) return false
      const answer = await http({ method: 'POST', url: `${apiBase}/checkouts/${id}/cancellation` })
      return answer.status < 300
    },
    payouts: {
      currencies: 'any',
      takes: () => true,
      // In minor units: every sum can be paid out.
      smallestUnitOf: () => 1,
      start: async ({ id, amount, currency, target }) => {
        const answer = await http({
          method: 'POST',
          url: `${apiBase}/payouts`,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id, amount, currency, number: numberOf(target) }),
        })
        return payoutState(wire.readAnswer(PaidOut, answer))
      },
      read: async ({ id }) => {
        const found = wire.readFound(PaidOut, await http({ method: 'GET', url: `${apiBase}/payouts/${id}` }))
        return found ? payoutState(found) : null
      },
    },
    readPayment: async ({ references }) => {
      const id = checkoutIn(references)
      if (!id) return null
      const checkout = wire.readFound(
        ReadCheckout,
        await http({ method: 'GET', url: `${apiBase}/checkouts/${id}` }),
      )
      return checkout ? readingOf(checkout, timestamp(now())) : null
    },
    startRefund: async ({ key, payment, chargeId, amount, reason }) => {
      const answer = await http({
        method: 'POST',
        url: `${apiBase}/checkouts/${checkoutIn(payment.references)}/refunds`,
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ id: key, chargeId, amount, reason }),
      })
      if (answer.status === 409 || wire.isRefusal(answer)) return wire.REFUSED
      return { state: 'succeeded', providerRefundId: wire.readAnswer(Refunded, answer).id }
    },
  }),
})
