import * as z from 'zod'
import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { type Currency, exponentOf } from '#lib/kernel/money'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as statements from '../provider/kit/statements.ts'
import type { CallbackRequest, KnownPayment, ProviderEvent, ProviderHttp } from '../provider/provider.ts'

const config = z.object({
  clientId: settings.secret,
  clientSecret: settings.secret,
  webhookId: settings.secret,
  apiBase: settings.apiBase('https://api-m.paypal.com'),
})

const text = z.string().nullish()
const id = z.string().min(1).max(255)
const Amount = z.object({ currency_code: z.string(), value: z.string() })

const Capture = z.object({
  id,
  status: text,
  amount: Amount,
  custom_id: text,
  supplementary_data: z.object({ related_ids: z.object({ order_id: text }).nullish() }).nullish(),
  update_time: text,
})
const Refund = Capture.extend({ links: z.array(z.object({ rel: z.string(), href: z.string() })).nullish() })
const Dispute = z.object({
  dispute_id: id,
  dispute_outcome: z.object({ outcome_code: text }).nullish(),
  disputed_transactions: z.array(z.object({ seller_transaction_id: text, custom: text })).min(1),
})
const Order = z.object({
  id,
  status: z.string(),
  purchase_units: z
    .array(
      z.object({
        custom_id: text,
        payments: z
          .object({ captures: z.array(Capture).nullish(), refunds: z.array(Refund).nullish() })
          .nullish(),
      }),
    )
    .nullish(),
})
type Order = z.infer<typeof Order>

const Envelope = z.object({ id, event_type: z.string(), create_time: text, resource: z.unknown() })
const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const MadeRefund = z.object({ id, status: text })
const Verification = z.object({ verification_status: z.string() })
const Started = z.object({ id, links: z.array(z.object({ rel: z.string(), href: z.url() })) })

const moneyOf = ({ value, currency_code }: z.infer<typeof Amount>) =>
  amounts.decimalMoneyOf(value, currency_code)

function captureTold(capture: z.infer<typeof Capture>, at: Timestamp): events.Told {
  const { status } = capture
  const orderId = capture.supplementary_data?.related_ids?.order_id
  return { references: [capture.custom_id, orderId, capture.id], statement: statementOf() }

  function statementOf(): Statement | null {
    // What was given back had come before.
    if (status === 'COMPLETED' || status?.endsWith('REFUNDED'))
      return { kind: 'succeeded', at, money: moneyOf(capture.amount) }
    if (status === 'PENDING') return { kind: 'processing', at }
    if (status !== 'DECLINED' && status !== 'DENIED' && status !== 'FAILED') return null
    return statements.failed(at, { code: status.toLowerCase(), message: 'The payment was declined.' })
  }
}

/** A refund names its capture in a link only. */
const refundTold = (
  { id, status, amount, custom_id, links }: z.infer<typeof Refund>,
  at: Timestamp,
): events.Told => ({
  references: [
    custom_id,
    links
      ?.find(({ rel }) => rel === 'up')
      ?.href.split('/')
      .at(-1),
  ],
  statement: statements.refundOf(at, { id, money: moneyOf(amount), state: refundState(status) }),
})

const refundState = (status: string | null | undefined) =>
  status === 'COMPLETED' ? 'succeeded' : status === 'PENDING' ? 'pending' : 'failed'

/** Money that was pulled back without a refund of ours. */
const reversedTold = (reversal: z.infer<typeof Refund>, at: Timestamp): events.Told => ({
  ...refundTold(reversal, at),
  statement: { kind: 'dispute', at, disputeId: `reversal:${reversal.id}`, state: 'lost' },
})

function disputeTold(
  { dispute_id, dispute_outcome, disputed_transactions }: z.infer<typeof Dispute>,
  at: Timestamp,
): events.Told {
  const outcome = dispute_outcome?.outcome_code
  const state =
    outcome?.endsWith('BUYER_FAVOUR') || outcome === 'ACCEPTED' ? 'lost' : outcome ? 'won' : 'open'
  return {
    references: disputed_transactions.flatMap(({ custom, seller_transaction_id }) => [
      custom,
      seller_transaction_id,
    ]),
    statement: { kind: 'dispute', at, disputeId: dispute_id, state },
  }
}

const APPROVAL = 'CHECKOUT.ORDER.APPROVED'

function toldOf(type: string, resource: unknown, at: Timestamp): events.Told | { fault: string } {
  if (type === APPROVAL)
    return events.told(Order, resource, ({ id, purchase_units }) => ({
      references: [purchase_units?.[0]?.custom_id, id],
      statement: null,
    }))
  if (type === 'PAYMENT.CAPTURE.REFUNDED')
    return events.told(Refund, resource, (part) => refundTold(part, at))
  if (type === 'PAYMENT.CAPTURE.REVERSED')
    return events.told(Refund, resource, (part) => reversedTold(part, at))
  if (type.startsWith('PAYMENT.CAPTURE.'))
    return events.told(Capture, resource, (part) => captureTold(part, at))
  if (type.startsWith('CUSTOMER.DISPUTE.'))
    return events.told(Dispute, resource, (part) => disputeTold(part, at))
  return events.NOTHING
}

/** Everything that an order tells: its captures and refunds, each under an id made of its state. */
function eventsOf({ id, status, purchase_units }: Order, now: Date): ProviderEvent[] {
  const [unit] = purchase_units ?? []
  const about = [unit?.custom_id, id]
  const event = (key: string, type: string, told: events.Told) =>
    events.eventOf({ eventId: key, type }, { ...told, references: [...about, ...told.references] })
  const captures = unit?.payments?.captures ?? []
  const statement: Statement | null = status === 'VOIDED' ? { kind: 'cancelled', at: timestamp(now) } : null
  return [
    ...(captures.length === 0
      ? [event(`${id}:${status}`, `order ${status}`, { references: [], statement })]
      : []),
    ...captures.map((capture) => {
      const told = captureTold(capture, events.momentOf(capture.update_time, now))
      return event(`${capture.id}:${told.statement?.kind}`, `capture ${told.statement?.kind}`, told)
    }),
    ...(unit?.payments?.refunds ?? []).map((refund) => {
      const told = refundTold(refund, events.momentOf(refund.update_time, now))
      return event(`${refund.id}:${refund.status}`, `refund ${refund.status}`, told)
    }),
  ]
}

/** PayPal writes some currencies without decimals; general knowledge. */
const decimalsOf = (currency: Currency): number =>
  ['HUF', 'JPY', 'TWD'].includes(currency) ? 0 : exponentOf(currency)
const amountOf = (money: { amount: number; currency: Currency }) => ({
  currency_code: money.currency,
  value: amounts.decimalTextOf(money, decimalsOf(money.currency)),
})

/** What is asked of PayPal about a callback: its headers, and its body as it came. Null where one is missing. */
function question({ headers, rawBody }: CallbackRequest, webhookId: string): string | null {
  const fields = {
    auth_algo: headers['paypal-auth-algo'],
    cert_url: headers['paypal-cert-url'],
    transmission_id: headers['paypal-transmission-id'],
    transmission_sig: headers['paypal-transmission-sig'],
    transmission_time: headers['paypal-transmission-time'],
    webhook_id: webhookId,
  }
  if (Object.values(fields).some((value) => !value) || !isPayPal(fields.cert_url)) return null
  const event = rawBody.toString('utf8')
  // Only what is JSON by itself cannot reach out of its place, and only its own bytes were signed.
  if (events.jsonOf(rawBody) === undefined) return null
  return `${JSON.stringify(fields).slice(0, -1)},"webhook_event":${event}}`
}

/** A certificate from anywhere else proves nothing. */
function isPayPal(address: string | undefined): boolean {
  if (!address || !URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' && (hostname === 'paypal.com' || hostname.endsWith('.paypal.com'))
}

/**
 * PayPal's checkout. A callback is verified by PayPal itself, by a call: its fields were read in the published
 * API; that the body must keep its bytes is general knowledge, as are orders, captures and refunds: try them in
 * the sandbox first (`apiBase` `https://api-m.sandbox.paypal.com`). An approved order is not money: it is
 * captured here, once, when we hear of the approval or ask about it, unless the payer has cancelled here meanwhile.
 * What the simulator sends cannot be verified.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ clientId, clientSecret, webhookId, apiBase }, { http, now, publicUrl }) => {
    let known: { token: string; expiresAt: Date } | undefined
    const token = async () => {
      if (known && known.expiresAt > now()) return known.token
      const answer = await http({
        method: 'POST',
        url: `${apiBase}/v1/oauth2/token`,
        headers: {
          ...wire.basic(clientId, clientSecret),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
        repeatable: true,
      })
      const { access_token, expires_in } = wire.answered(Token, answer)
      known = { token: access_token, expiresAt: secondsAfter(now(), expires_in - 60) }
      return access_token
    }
    /** A token may be withdrawn before its time: the next request then asks for another. */
    const authorized: ProviderHttp = async (request) => {
      const answer = await http(request)
      if (answer.status === 401) known = undefined
      return answer
    }
    const api = async () => wire.jsonApi(authorized, apiBase, { authorization: `Bearer ${await token()}` })

    const find = async (orderId: string) =>
      wire.plainIn(Order, await (await api()).get(`/v2/checkout/orders/${encodeURIComponent(orderId)}`))
    const settled = async (order: Order, payment: KnownPayment | null): Promise<Order> => {
      // What a payer gave up here may still be approved there, and costs nobody anything until it is captured.
      if (order.status !== 'APPROVED' || !payment || payment.status === 'CANCELLED') return order
      const path = `/v2/checkout/orders/${encodeURIComponent(order.id)}/capture`
      const answer = await (await api()).post(path, {}, { 'paypal-request-id': order.id })
      // One that was captured a moment ago refuses to be again, and a payer's bank may refuse: the order says which.
      return wire.isRefusal(answer) ? order : ((await find(order.id)) ?? order)
    }
    return {
      currencies: CURRENCIES,
      countries: 'any',
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: async (request) => {
        const body = question(request, webhookId)
        if (body === null) return false
        const answer = await authorized({
          method: 'POST',
          url: `${apiBase}/v1/notifications/verify-webhook-signature`,
          headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
          body,
          repeatable: true,
        })
        if (wire.isRefusal(answer)) return false
        if (wire.answered(Verification, answer).verification_status !== 'SUCCESS') return false
        // It only points at an order: `ask` captures that, and says what came of it.
        return Envelope.safeParse(events.jsonOf(request.rawBody)).data?.event_type !== APPROVAL || 'sender'
      },
      translate: ({ rawBody }) => {
        const envelope = Envelope.safeParse(events.jsonOf(rawBody))
        if (!envelope.success) return [events.unreadable(rawBody, envelope.error)]
        const { id: eventId, event_type: type, create_time, resource } = envelope.data
        return [
          events.eventOf({ eventId, type }, toldOf(type, resource, events.momentOf(create_time, now()))),
        ]
      },
      refuses: (order) =>
        amountOf(order).value === undefined ? 'must be a whole number of units' : undefined,
      start: async (order) => {
        const returnUrl = order.returnUrl ?? publicUrl
        const request = {
          intent: 'CAPTURE',
          purchase_units: [{ custom_id: order.id, invoice_id: order.id, amount: amountOf(order) }],
          payment_source: {
            paypal: { experience_context: { return_url: returnUrl, cancel_url: returnUrl } },
          },
        }
        const answer = await (await api()).post('/v2/checkout/orders', request, {
          'paypal-request-id': order.id,
        })
        const { id: orderId, links } = wire.answered(Started, answer)
        const page = links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')
        return { url: page?.href ?? null, expiresAt: null, references: [orderId] }
      },
      ask: async ({ references, payment, isDryRun }) => {
        const orderId = payment?.references[0] ?? references[0]
        const order = orderId && (await find(orderId))
        return order ? eventsOf(isDryRun ? order : await settled(order, payment), now()) : []
      },
      refund: async ({ id: refundId, payment, amount, currency }) => {
        const order = await find(payment.references[0] ?? '')
        const captures = order?.purchase_units?.[0]?.payments?.captures ?? []
        // One that is REFUNDED may be by this very request, whose answer was lost: it is then answered again.
        const capture = captures.find(({ status }) => status === 'COMPLETED' || status?.endsWith('REFUNDED'))
        if (!capture) return wire.REFUSED
        const path = `/v2/payments/captures/${encodeURIComponent(capture.id)}/refund`
        const request = { amount: amountOf({ amount, currency }), custom_id: payment.id }
        const answer = await (await api()).post(path, request, { 'paypal-request-id': refundId })
        if (wire.isRefusal(answer)) return wire.REFUSED
        const made = wire.answered(MadeRefund, answer)
        return { state: refundState(made.status), providerRefundId: made.id }
      },
    }
  },
})

/** PayPal docs: "Currency codes"; general knowledge. */
const CURRENCIES = amounts.currencies(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD',
)
