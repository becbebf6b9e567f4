import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import type { Currency } from '#lib/kernel/money'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import type { ProviderEvent } from '../provider/provider.ts'

const config = z.object({
  accessToken: settings.secret,
  locationId: settings.secret,
  webhookSecrets: settings.secrets,
  /** As registered with Square, byte for byte: it is signed. */
  notificationUrl: z.url().optional(),
  apiBase: settings.apiBase('https://connect.squareup.com'),
})

const text = z.string().nullish()
const Amount = z.object({ amount: z.number().nullish(), currency: text }).nullish()

const Payment = z.object({
  id: z.string().min(1).max(255),
  status: text,
  amount_money: Amount,
  refunded_money: Amount,
  order_id: text,
  reference_id: text,
  updated_at: text,
})
const Refund = z.object({
  id: z.string().min(1).max(255),
  payment_id: text,
  status: text,
  amount_money: Amount,
  reason: z.string().max(1000).nullish(),
  updated_at: text,
})
const Dispute = z.object({
  id: z.string().min(1).max(255),
  state: text,
  disputed_payment: z.object({ payment_id: text }).nullish(),
})
const Envelope = z.object({
  event_id: z.string().min(1),
  type: z.string(),
  created_at: text,
  /** By what it is: a payment, a refund, a dispute. */
  data: z.object({ object: z.record(z.string(), z.unknown()).nullish() }),
})

const Started = z.object({ payment_link: z.object({ id: z.string(), url: z.url(), order_id: z.string() }) })
const Order = z.object({
  order: z.object({
    id: z.string(),
    reference_id: text,
    state: text,
    tenders: z.array(z.object({ payment_id: text })).nullish(),
  }),
})
const AskedPayment = z.object({ payment: Payment })
const StartedRefund = z.object({ refund: Refund })

const moneyOf = (money: z.infer<typeof Amount>) => amounts.moneyOf(money?.amount, money?.currency)

function paymentTold(payment: z.infer<typeof Payment>, at: Timestamp): events.Told {
  const { status, amount_money, order_id, reference_id, id } = payment
  return { references: [reference_id, order_id, id], statement: statementOf() }

  function statementOf(): Statement | null {
    if (status === 'COMPLETED') return { kind: 'succeeded', at, money: moneyOf(amount_money) }
    if (status === 'CANCELED') return { kind: 'cancelled', at }
    // Approved is not paid: what is completed is.
    if (status === 'APPROVED' || status === 'PENDING') return { kind: 'processing', at }
    if (status !== 'FAILED') return null
    return statements.failed(at)
  }
}

const refundState = (status: string | null | undefined) =>
  status === 'COMPLETED' ? 'succeeded' : status === 'REJECTED' || status === 'FAILED' ? 'failed' : 'pending'

/** A refund's order is one of its own. */
const refundTold = (refund: z.infer<typeof Refund>, at: Timestamp): events.Told => ({
  references: [refund.payment_id],
  statement: statements.refundOf(at, {
    id: refund.id,
    money: moneyOf(refund.amount_money),
    state: refundState(refund.status),
    reason: refund.reason,
  }),
})

const DISPUTE_STATES: Partial<Record<string, 'won' | 'lost'>> = {
  WON: 'won',
  INQUIRY_CLOSED: 'won',
  LOST: 'lost',
  ACCEPTED: 'lost',
}

const disputeTold = (
  { id, state, disputed_payment }: z.infer<typeof Dispute>,
  at: Timestamp,
): events.Told => ({
  references: [disputed_payment?.payment_id],
  statement: { kind: 'dispute', at, disputeId: id, state: events.entryOf(DISPUTE_STATES, state) ?? 'open' },
})

function translate(rawBody: Buffer, now: Date): ProviderEvent {
  const envelope = Envelope.safeParse(events.jsonOf(rawBody))
  if (!envelope.success) return events.unreadable(rawBody, envelope.error)
  const { event_id: eventId, type, created_at, data } = envelope.data
  const { payment, refund, dispute }: Record<string, unknown> = data.object ?? {}
  const at = events.momentOf(created_at, now)
  return events.eventOf({ eventId, type }, toldOf())

  function toldOf() {
    if (type.startsWith('payment.')) return events.told(Payment, payment, (part) => paymentTold(part, at))
    if (type.startsWith('refund.')) return events.told(Refund, refund, (part) => refundTold(part, at))
    if (type.startsWith('dispute.') && dispute)
      return events.told(Dispute, dispute, (part) => disputeTold(part, at))
    return events.NOTHING
  }
}

/** What the API says of a payment of an order: it, and what was given back of it so far. */
function asked(
  payment: z.infer<typeof Payment>,
  reference: string | null | undefined,
  now: Date,
): ProviderEvent[] {
  const at = events.momentOf(payment.updated_at, now)
  const { id, status, amount_money: paid, refunded_money: refunded } = payment
  const { references, statement } = paymentTold(payment, at)
  const about = { references: [reference, ...references], statement }
  const identity = {
    eventId: [id, status, paid?.amount, paid?.currency].join(':'),
    type: `payment ${status}`,
  }
  if (!refunded?.amount) return [events.eventOf(identity, about)]
  const total: Statement = { kind: 'refunded_total', at, money: moneyOf(refunded) }
  const eventId = [id, 'refunded', refunded.amount, refunded.currency].join(':')
  return [
    events.eventOf(identity, about),
    events.eventOf({ eventId, type: 'payment refunded' }, { ...about, statement: total }),
  ]
}

/** The header that Square sends with these bytes to this address. */
export const squareSignature = (secret: string, notificationUrl: string, rawBody: Buffer): string =>
  signatures.hmac('sha256', secret, [notificationUrl, rawBody], 'base64')

const CURRENCIES: readonly Currency[] = ['AUD', 'CAD', 'EUR', 'GBP', 'JPY', 'USD']

/**
 * Square's payment links. Callbacks carry `x-square-hmacsha256-signature`, HMAC-SHA256 over the registered
 * address and the body, without a time: run against the official SDK. Requests were read in the SDK's types;
 * which states follow which, and the states of a dispute, are general knowledge: try them in the sandbox first.
 * The idempotency key is a field of the body. A payment knows its order, and the order knows ours.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ accessToken, locationId, webhookSecrets, notificationUrl, apiBase }, tools) => {
    const { http, now, publicUrl, callbackUrl } = tools
    const api = wire.jsonApi(http, `${apiBase}/v2`, { authorization: `Bearer ${accessToken}` })
    const paymentsOf = async (orderId: string) => {
      const found = wire.plainIn(Order, await api.get(`/orders/${encodeURIComponent(orderId)}`))
      const ids = (found?.order.tenders ?? []).flatMap(({ payment_id }) => payment_id ?? [])
      const payments = await Promise.all(ids.map((id) => api.get(`/payments/${encodeURIComponent(id)}`)))
      return {
        order: found?.order,
        payments: payments.map((answer) => wire.answered(AskedPayment, answer).payment),
      }
    }
    return {
      currencies: CURRENCIES,
      countries: ['AU', 'CA', 'ES', 'FR', 'GB', 'IE', 'JP', 'US'],
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const signature = headers['x-square-hmacsha256-signature'] ?? ''
        const url = notificationUrl ?? callbackUrl
        return webhookSecrets.some((secret) =>
          signatures.sameText(signature, squareSignature(secret, url, rawBody)),
        )
      },
      translate: ({ rawBody }) => [translate(rawBody, now())],
      start: async ({ id, amount, currency, purpose, returnUrl }) => {
        const item = { name: purpose, quantity: '1', base_price_money: { amount, currency } }
        const request = {
          idempotency_key: id,
          order: { location_id: locationId, reference_id: id, line_items: [item] },
          checkout_options: { redirect_url: returnUrl ?? publicUrl },
          payment_note: id,
        }
        const { payment_link: link } = wire.answered(
          Started,
          await api.post('/online-checkout/payment-links', request, {}),
        )
        return { url: link.url, expiresAt: null, references: [link.order_id, link.id] }
      },
      ask: async ({ references, payment }) => {
        const orderId = payment?.references[0] ?? references[0]
        if (!orderId) return []
        const { order, payments } = await paymentsOf(orderId)
        if (!order) return []
        const about = { references: [order.reference_id, order.id], statement: null }
        const eventId = `${order.id}:${order.state}`
        if (payments.length === 0) return [events.eventOf({ eventId, type: `order ${order.state}` }, about)]
        return payments.flatMap((part) => asked(part, order.reference_id, now()))
      },
      refund: async ({ id, payment, amount, currency, reason }) => {
        const { payments } = await paymentsOf(payment.references[0] ?? '')
        const paid = payments.find(({ status }) => status === 'COMPLETED')
        if (!paid) return wire.REFUSED
        const request = {
          idempotency_key: id,
          payment_id: paid.id,
          amount_money: { amount, currency },
          reason,
        }
        const answer = await api.post('/refunds', request, {})
        if (wire.isRefusal(answer)) return wire.REFUSED
        const { refund } = wire.answered(StartedRefund, answer)
        return { state: refundState(refund.status), providerRefundId: refund.id }
      },
    }
  },
})
