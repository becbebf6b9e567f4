import * as z from 'zod'
import { timestamp } from '#lib/kernel/clock'
import type { Currency } from '#lib/kernel/money'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import type { CallbackRequest, ProviderEvent } from '../provider/provider.ts'

const config = z.object({
  apiKey: settings.secret,
  webhookSecrets: settings.secrets,
  apiBase: settings.apiBase('https://api.xendit.co'),
})

const text = z.string().nullish()
const id = z.string().min(1).max(255)

/** An invoice, told as it is or asked about; numbers as their text. */
const Invoice = z.object({
  id,
  external_id: text,
  payment_id: text,
  status: z.string(),
  amount: text,
  paid_amount: text,
  currency: text,
  paid_at: text,
})
type Invoice = z.infer<typeof Invoice>

const Refund = z.object({
  id,
  status: text,
  invoice_id: text,
  payment_id: text,
  payment_request_id: text,
  amount: text,
  currency: text,
  reason: z.string().max(1000).nullish(),
})
type Refund = z.infer<typeof Refund>

/** What the payments API tells of a payment made without an invoice. */
const Payment = z.object({
  payment_id: text,
  payment_request_id: text,
  reference_id: text,
  status: text,
  request_amount: text,
  currency: text,
  captures: z.array(z.object({ capture_amount: text })).nullish(),
  failure_code: text,
})

const Callback = z.object({ event: z.string(), data: z.unknown() })
const Started = z.object({ id, invoice_url: z.url(), expiry_date: text })

function invoiceEvent(invoice: Invoice, now: Date, eventId?: string): ProviderEvent {
  const { status, amount, paid_amount, currency } = invoice
  const at = events.momentOf(invoice.paid_at, now)
  const sum = paid_amount ?? amount
  const references = [invoice.external_id, invoice.id, invoice.payment_id]
  const identity = {
    eventId: eventId || [invoice.id, status, sum, currency].join(':'),
    type: `invoice ${status}`,
  }
  return events.eventOf(identity, { references, statement: statementOf() })

  function statementOf(): Statement | null {
    if (status === 'PAID' || status === 'SETTLED') {
      return { kind: 'succeeded', at, money: amounts.decimalMoneyOf(sum, currency) }
    }
    return status === 'EXPIRED' ? { kind: 'expired', at } : null
  }
}

const refundState = (status: string | null | undefined) =>
  status === 'SUCCEEDED' ? 'succeeded' : status === 'FAILED' || status === 'CANCELLED' ? 'failed' : 'pending'

function refundEvent(refund: Refund, now: Date, eventId?: string): ProviderEvent {
  const { status, amount, currency, reason } = refund
  const references = [refund.invoice_id, refund.payment_id, refund.payment_request_id]
  const identity = {
    eventId: eventId || [refund.id, status, amount, currency].join(':'),
    type: `refund ${status}`,
  }
  const statement = statements.refundOf(timestamp(now), {
    id: refund.id,
    money: amounts.decimalMoneyOf(amount, currency),
    state: refundState(status),
    reason,
  })
  return events.eventOf(identity, { references, statement })
}

/** A payment of the payments API is claimed, and the invoice of its reference asked about. */
function paymentTold(payment: z.infer<typeof Payment>, now: Date): events.Told {
  const at = timestamp(now)
  const { status, currency, captures, request_amount, failure_code } = payment
  const [capture] = captures ?? []
  const references = [payment.reference_id, payment.payment_request_id, payment.payment_id]
  const money = amounts.decimalMoneyOf(capture?.capture_amount ?? request_amount, currency)
  if (status === 'SUCCEEDED') return { references, statement: { kind: 'succeeded', at, money } }
  if (status !== 'FAILED') return { references, statement: null }
  return { references, statement: statements.failed(at, { final: false, code: failure_code }) }
}

function translate({ rawBody, headers }: CallbackRequest, now: Date): ProviderEvent {
  const body = events.exactJsonOf(rawBody)
  const eventId = headers[EVENT_ID]
  const invoice = Invoice.safeParse(body)
  if (invoice.success) return invoiceEvent(invoice.data, now, eventId)
  const callback = Callback.safeParse(body)
  if (!callback.success) return events.unreadable(rawBody, callback.error)
  const { event: type, data } = callback.data
  if (type.startsWith('refund.')) {
    const refund = Refund.safeParse(data)
    return refund.success ? refundEvent(refund.data, now, eventId) : events.unreadable(rawBody, refund.error)
  }
  const identity = { eventId: eventId || signatures.sha256(rawBody), type }
  if (!type.startsWith('payment.')) return events.eventOf(identity, events.NOTHING)
  return events.eventOf(
    identity,
    events.told(Payment, data, (payment) => paymentTold(payment, now)),
  )
}

const EVENT_ID = 'webhook-id'

/** Rupiah and dong are asked for without decimals. */
const decimalsOf = (currency: Currency): number => (currency === 'IDR' || currency === 'VND' ? 0 : 2)
const amountOf = (money: { amount: number; currency: Currency }) =>
  amounts.decimalTextOf(money, decimalsOf(money.currency))

const CURRENCIES: readonly Currency[] = ['IDR', 'MYR', 'PHP', 'THB', 'VND']

/**
 * Xendit's invoices. Callbacks carry `x-callback-token`, the token itself, as documented: it vouches for the
 * sender, and the invoice is asked about. Invoices and refunds were read in the SDK's types; what their
 * states mean and the names of refund events are general knowledge: try them in test mode first. An invoice has
 * no idempotency key: one that was made for the reference before is looked for.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now, publicUrl }) => {
    const api = wire.jsonApi(http, apiBase, wire.basic(apiKey, ''))
    const search = async <Schema extends z.ZodType>(schema: Schema, reference: string) => {
      const answer = await api.get(`/v2/invoices?${new URLSearchParams({ external_id: reference })}`)
      return wire.foundIn(z.array(schema), answer) ?? []
    }
    return {
      currencies: CURRENCIES,
      countries: ['ID', 'MY', 'PH', 'TH', 'VN'],
      methods: ['POST'],
      readsHeaders: [EVENT_ID],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers }) => {
        const token = headers['x-callback-token'] ?? ''
        return webhookSecrets.some((secret) => signatures.sameText(token, secret)) && 'sender'
      },
      translate: (request) => [translate(request, now())],
      refuses: (order) => (amountOf(order) === undefined ? 'must be a whole number of units' : undefined),
      start: async (order) => {
        const returnUrl = order.returnUrl ?? publicUrl
        const [known] = await search(Started, order.id)
        const request = {
          external_id: order.id,
          amount: Number(amountOf(order)),
          currency: order.currency,
          payer_email: order.email,
          description: order.purpose,
          success_redirect_url: returnUrl,
          failure_redirect_url: returnUrl,
        }
        const made = known ?? wire.answeredExactly(Started, await api.post('/v2/invoices', request))
        const expiresAt = events.namedMoment(made.expiry_date)
        return { url: made.invoice_url, expiresAt, references: [made.id] }
      },
      ask: async ({ references, payment, claim }) => {
        const claimed = claim?.statement?.kind === 'refund' ? claim.statement.providerRefundId : null
        if (claimed) {
          const refund = wire.foundIn(Refund, await api.get(`/refunds/${encodeURIComponent(claimed)}`))
          return wire.concerning(payment, refund ? [refundEvent(refund, now())] : [])
        }
        const invoices = await search(Invoice, payment?.id ?? references[0] ?? '')
        return invoices.map((invoice) => invoiceEvent(invoice, now()))
      },
      refund: async ({ id: reference, payment, amount, currency }) => {
        const request = {
          invoice_id: payment.references[0],
          amount: Number(amountOf({ amount, currency })),
          reason: 'REQUESTED_BY_CUSTOMER',
          reference_id: reference,
        }
        const answer = await api.post('/refunds', request, { 'idempotency-key': reference })
        if (wire.isRefusal(answer)) return wire.REFUSED
        const refund = wire.answeredExactly(Refund, answer)
        return { state: refundState(refund.status), providerRefundId: refund.id }
      },
    }
  },
})
