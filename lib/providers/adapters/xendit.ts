import * as z from 'zod'
import { timestamp } from '#lib/kernel/clock'
import type { Currency } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import { pageAfterId, readWholeList } from '../kit/lists.ts'
import * as statements from '../kit/statements.ts'
import {
  type CallbackRequest,
  defineProvider,
  type PaymentOrder,
  type PaymentQuestion,
  type ProviderEvent,
  type ProviderHttp,
  type StartedRefund,
} from '../provider.ts'

const config = z.object({
  apiKey: settings.secret,
  webhookSecrets: settings.secrets,
  apiBase: settings.apiBase('https://api.xendit.co'),
})

const text = z.string().nullish()
const id = z.string().min(1).max(255)

/** An invoice as a callback or the API shows it; numbers as their text. */
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
  failure_code: text,
  invoice_id: text,
  payment_id: text,
  payment_request_id: text,
  reference_id: text,
  amount: text,
  currency: text,
  reason: text,
  created: text,
})
type Refund = z.infer<typeof Refund>

/** A payment of the payments API, which names no invoice. */
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
/** The documentation shows the refund also within a second `data`. */
const RefundEvent = z.union([Refund, z.object({ data: Refund }).transform(({ data }) => data)])
const Started = z.object({ id, invoice_url: z.url(), expiry_date: text })
const Refunds = z.object({ data: z.array(Refund), has_more: z.boolean().nullish() })
const Reason = z
  .object({ error_code: text, message: text })
  .transform(({ error_code: code, message }) => ({ code, message }))

const isPaid = ({ status }: Invoice): boolean => status === 'PAID' || status === 'SETTLED'
const sumOf = ({ paid_amount, amount }: Invoice) => paid_amount ?? amount

/** An invoice is paid once: its own id is that of the charge. */
const chargeOf = (invoice: Invoice, now: Date): StatementOf<'succeeded'> =>
  statements.chargeOf(events.momentOf(invoice.paid_at, now), {
    id: invoice.id,
    money: amounts.decimalMoneyOf(sumOf(invoice), invoice.currency),
  })

function interpretInvoice(invoice: Invoice, now: Date): events.Interpretation {
  const expired = invoice.status === 'EXPIRED' ? ({ kind: 'expired', at: timestamp(now) } as const) : null
  return {
    references: referencesOf(invoice),
    statement: isPaid(invoice) ? chargeOf(invoice, now) : expired,
  }
}

const referencesOf = (invoice: Invoice) => [invoice.external_id, invoice.id, invoice.payment_id]

const REFUND_STATES: Partial<Record<string, StartedRefund['state']>> = {
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

/** The SDK's types of a refund know a `failure_code` and no state. */
const refundState = ({ status, failure_code }: Refund): StartedRefund['state'] =>
  events.entryOf(REFUND_STATES, status) ?? (failure_code ? 'failed' : 'pending')

const refundOf = (refund: Refund, now: Date): StatementOf<'refund'> =>
  statements.refundOf(events.momentOf(refund.created, now), {
    id: refund.id,
    money: amounts.decimalMoneyOf(refund.amount, refund.currency),
    state: refundState(refund),
    chargeId: refund.invoice_id,
    reason: refund.reason,
    ours: refund.reference_id,
  })

/** The refund's own id is one of the references: a refund that the list lacks is read by it. */
const interpretRefund = (refund: Refund, now: Date): events.Interpretation => ({
  references: [refund.invoice_id, refund.payment_id, refund.payment_request_id, refund.id],
  statement: refundOf(refund, now),
})

/** A payment of the payments API is a claim: the invoice of its reference is read. */
function interpretPayment(payment: z.infer<typeof Payment>, now: Date): events.Interpretation {
  const at = timestamp(now)
  const { status, currency, captures, request_amount, failure_code } = payment
  const [capture] = captures ?? []
  const references = [payment.reference_id, payment.payment_request_id, payment.payment_id]
  const money = amounts.decimalMoneyOf(capture?.capture_amount ?? request_amount, currency)
  if (status === 'SUCCEEDED') return { references, statement: statements.chargeOf(at, { id: null, money }) }
  if (status !== 'FAILED') return { references, statement: null }
  return { references, statement: statements.failureOf(at, { final: false, code: failure_code }) }
}

function interpret({ rawBody, headers }: CallbackRequest, now: Date): ProviderEvent {
  const identityOf = (type: string, parts: unknown[] = [signatures.sha256(rawBody)]) => ({
    eventId: headers[EVENT_ID] || parts.join(':'),
    type,
  })
  const body = events.jsonWithTextNumbers(rawBody)
  const invoice = Invoice.safeParse(body)
  if (invoice.success) {
    const { id, status, currency } = invoice.data
    const identity = identityOf(`invoice ${status}`, [id, status, sumOf(invoice.data), currency])
    return events.eventOf(identity, interpretInvoice(invoice.data, now))
  }
  const callback = Callback.safeParse(body)
  if (!callback.success) return events.unreadableEvent(rawBody, callback.error)
  const { event: type, data } = callback.data
  if (type.startsWith('refund.')) {
    const refund = RefundEvent.safeParse(data)
    if (!refund.success) return events.unreadableEvent(rawBody, refund.error)
    const { id, status, amount, currency } = refund.data
    return events.eventOf(
      identityOf(`refund ${status}`, [id, status, amount, currency]),
      interpretRefund(refund.data, now),
    )
  }
  if (!type.startsWith('payment.')) return events.eventOf(identityOf(type), events.NO_PAYMENT)
  const interpretation = events.interpret(Payment, data, (payment) => interpretPayment(payment, now))
  return events.eventOf(identityOf(type), interpretation)
}

const EVENT_ID = 'webhook-id'

/** Rupiah and dong are sent without decimals: Xendit would cut off those of rupiah. For dong this is not documented. */
const decimalsOf = (currency: Currency): number => (currency === 'IDR' || currency === 'VND' ? 0 : 2)
const amountOf = (money: { amount: number; currency: Currency }) =>
  amounts.decimalTextOf(money, decimalsOf(money.currency))

/** The currencies of the SDK's `InvoiceCurrency`. */
const CURRENCIES = amounts.currencies('IDR MYR PHP THB USD VND')

const isRefund = (reference: string): boolean => reference.startsWith('rfd-')

const apiOf = (http: ProviderHttp, apiBase: string, apiKey: string) => {
  const api = wire.jsonApi(http, apiBase, wire.basic(apiKey, ''))
  return {
    ...api,
    invoice: async (name: string): Promise<Invoice | undefined> =>
      wire.readFoundWithTextNumbers(Invoice, await api.get(`/v2/invoices/${encodeURIComponent(name)}`)),
    search: async <Schema extends z.ZodType>(schema: Schema, reference: string) => {
      const answer = await api.get(`/v2/invoices?${new URLSearchParams({ external_id: reference })}`)
      return wire.readFoundWithTextNumbers(z.array(schema), answer) ?? []
    },
    refund: async (name: string): Promise<Refund | undefined> =>
      wire.readFoundWithTextNumbers(Refund, await api.get(`/refunds/${encodeURIComponent(name)}`)),
    /** Every refund that is listed for an invoice. The SDK's sample of a listed refund does not repeat the invoice. */
    refundsOf: async (invoice: string): Promise<Refund[]> => {
      // `after` is empty for the first page.
      const found = await readWholeList('', async (after) => {
        const from = after && `&after_id=${encodeURIComponent(after)}`
        const answer = await api.get(`/refunds?invoice_id=${encodeURIComponent(invoice)}&limit=100${from}`)
        const { data = [], has_more } = wire.readFoundWithTextNumbers(Refunds, answer) ?? {}
        return pageAfterId(data, has_more)
      })
      return found.map((refund) => ({ ...refund, invoice_id: refund.invoice_id || invoice }))
    },
  }
}
type Api = ReturnType<typeof apiOf>

/** Interprets the unpaid invoices of a payment. */
const chargeState = (invoices: Invoice[], now: Date): PaymentReading['charges'] =>
  invoices.every(({ status }) => status === 'EXPIRED') ? [{ kind: 'expired', at: timestamp(now) }] : []

/** Returns the invoices of a reference. The search may not find `made` yet, the invoice that was made first for it. */
async function invoicesOf(api: Api, reference: string, made: string | undefined): Promise<Invoice[]> {
  const found = await api.search(Invoice, reference)
  if (!made || found.some((invoice) => invoice.id === made)) return found
  const invoice = await api.invoice(made)
  return invoice?.external_id === reference ? [...found, invoice] : found
}

/** Reads every invoice of a payment, and its refunds: listed ones and known ids. */
async function read(
  api: Api,
  { references, payment }: PaymentQuestion,
  now: Date,
): Promise<PaymentReading | null> {
  const reference = payment?.id ?? references[0] ?? ''
  const invoices = await invoicesOf(api, reference, payment?.references[0])
  if (invoices.length === 0) return null
  const ids = invoices.flatMap(referencesOf)
  const paid = invoices.filter(isPaid)
  if (paid.length === 0) return statements.readingOf({ references: ids, charges: chargeState(invoices, now) })
  const listed = (await Promise.all(paid.map((invoice) => api.refundsOf(invoice.id)))).flat()
  const missing = references.filter(isRefund).filter((each) => !listed.some((refund) => refund.id === each))
  const readById = await Promise.all(missing.map(api.refund))
  // A callback may name a refund of another payment.
  const own = new Set<unknown>([...ids, ...(payment?.references ?? [])])
  const isOwn = ({ invoice_id, payment_id, payment_request_id }: Refund): boolean =>
    [invoice_id, payment_id, payment_request_id].some((each) => each && own.has(each))
  const refunds = [...listed, ...readById.flatMap((refund) => refund ?? [])].filter(isOwn)
  return statements.readingOf({
    references: ids,
    charges: paid.map((invoice) => chargeOf(invoice, now)),
    refunds: refunds.map((refund) => refundOf(refund, now)),
  })
}

const startedOf = ({ id, invoice_url: url, expiry_date }: z.infer<typeof Started>) => ({
  url,
  expiresAt: events.namedMoment(expiry_date),
  references: [id],
})

function invoiceRequest(order: PaymentOrder, publicUrl: string, now: Date) {
  const returnUrl = order.returnUrl ?? publicUrl
  return {
    external_id: order.id,
    amount: Number(amountOf(order)),
    currency: order.currency,
    payer_email: order.email,
    description: order.purpose,
    invoice_duration: Math.max(1, Math.ceil((Date.parse(order.expiresAt) - now.getTime()) / 1000)),
    success_redirect_url: returnUrl,
    failure_redirect_url: returnUrl,
  }
}

/**
 * Xendit's invoices. Callbacks carry `x-callback-token`, the token itself, as documented: it vouches for the sender,
 * and the invoice is read. Invoices, their duration and `expire!`, refunds, their list and its filter were read in the
 * SDK's types and samples, refund events in the documentation; what a refund's states mean is not documented, and
 * the documented bounds of an amount, which depend on the channel, could not be read. An invoice has no idempotency
 * key: an earlier invoice for the reference is searched for first.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now, publicUrl }) => {
    const api = apiOf(http, apiBase, apiKey)
    return {
      currencies: CURRENCIES,
      countries: ['ID', 'MY', 'PH', 'TH', 'VN'],
      callbackMethods: ['POST'],
      storedHeaders: [EVENT_ID],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers }) =>
        signatures.isMadeByAny(headers['x-callback-token'], webhookSecrets, (secret) => secret)
          ? 'sender'
          : 'forged',
      interpret: (request) => [interpret(request, now())],
      refuses: (order) => (amountOf(order) === undefined ? 'must be a whole number of units' : undefined),
      start: async (order) => {
        const [known] = await api.search(Started, order.id)
        if (known) return startedOf(known)
        const answer = await api.post('/v2/invoices', invoiceRequest(order, publicUrl, now()))
        return wire.refusalOf(answer, Reason) ?? startedOf(wire.readAnswerWithTextNumbers(Started, answer))
      },
      close: async ({ references: [invoice] }) => {
        if (!invoice) return false
        const { status } = await api.post(
          `/invoices/${encodeURIComponent(invoice)}/expire!`,
          {},
          undefined,
          wire.RETRY,
        )
        return status < 300 || (await api.invoice(invoice))?.status === 'EXPIRED'
      },
      readPayment: (question) => read(api, question, now()),
      startRefund: async ({ id: reference, key, payment, chargeId, amount, currency }) => {
        const request = {
          invoice_id: chargeId ?? payment.references[0],
          amount: Number(amountOf({ amount, currency })),
          currency,
          reason: 'REQUESTED_BY_CUSTOMER',
          reference_id: reference,
        }
        const answer = await api.post('/refunds', request, { 'idempotency-key': key }, wire.NO_RETRY)
        // Refused by a 400 or, of some channels, a 403: Xendit docs, "Test scenarios".
        if (wire.isRefusal(answer) || answer.body.includes('INELIGIBLE_TRANSACTION')) return wire.REFUSED
        const refund = wire.readAnswerWithTextNumbers(Refund, answer)
        return { state: refundState(refund), providerRefundId: refund.id }
      },
    }
  },
})
