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
  accessToken: settings.secret,
  webhookSecrets: settings.secrets,
  apiBase: settings.apiBase('https://api.mercadopago.com'),
})

const text = z.string().nullish()

/** What the API answers; numbers as their text. */
const Payment = z.object({
  id: z.string().min(1),
  status: z.string(),
  status_detail: text,
  transaction_amount: text,
  transaction_amount_refunded: text,
  currency_id: text,
  external_reference: text,
  date_approved: text,
  date_last_updated: text,
  refunds: z.array(z.object({ id: z.string().min(1).max(255), status: text, amount: text })).nullish(),
})
type Payment = z.infer<typeof Payment>

const Chargeback = z.object({
  id: z.string().min(1).max(255),
  payments: z.array(z.string()),
  coverage_applied: z.boolean().nullish(),
})
const Found = z.object({ results: z.array(Payment) })
const Body = z.object({ type: text, topic: text })
const Started = z.object({ id: z.string().min(1), init_point: z.url() })
const Refunded = z.object({ id: z.string().min(1), status: text })

/** The text that `x-signature` signs; a part that is absent is left out. */
const manifestOf = (dataId: string | null, requestId: string | undefined, sentAt: string): string =>
  [dataId && `id:${dataId};`, requestId && `request-id:${requestId};`, `ts:${sentAt};`]
    .filter(Boolean)
    .join('')

/** The header that Mercado Pago sends with a request about `dataId`. Its body is not signed. */
export const mercadopagoSignature = (
  secret: string,
  { dataId, requestId, sentAt }: { dataId: string; requestId: string; sentAt: string },
): string =>
  `ts=${sentAt},v1=${signatures.hmac('sha256', secret, [manifestOf(dataId, requestId, sentAt)], 'hex')}`

const queryOf = ({ rawQuery }: CallbackRequest) => new URLSearchParams(rawQuery)

/** The id as it came, as the SDK takes it, and in small letters, as the documentation asks. */
function isSigned(request: CallbackRequest, secrets: readonly string[]): boolean {
  const { 'x-signature': header, 'x-request-id': requestId } = request.headers
  const [sentAt] = signatures.valuesOf(header, 'ts')
  const offered = signatures.valuesOf(header, 'v1')
  if (!sentAt) return false
  const dataId = queryOf(request).get('data.id')
  return secrets.some((secret) =>
    [dataId, dataId?.toLowerCase() ?? null].some((id) => {
      const expected = signatures.hmac('sha256', secret, [manifestOf(id, requestId, sentAt)], 'hex')
      return offered.some((signature) => signatures.sameText(signature, expected))
    }),
  )
}

const refundState = (status: string | null | undefined) =>
  status === 'rejected' || status === 'cancelled'
    ? 'failed'
    : status === 'in_process'
      ? 'pending'
      : 'succeeded'

const CHARGEBACK = 'topic_chargebacks_wh'

/** It only points at a payment or a chargeback, by the one id that is signed. */
function translate(request: CallbackRequest): ProviderEvent {
  const query = queryOf(request)
  const body = Body.safeParse(events.exactJsonOf(request.rawBody)).data
  const type = query.get('type') ?? query.get('topic') ?? body?.type ?? body?.topic ?? 'unknown'
  const id = query.get('data.id')
  const eventId = `${type}:${id}:${signatures.sha256(request.rawBody)}`
  if (!id || (type !== 'payment' && type !== CHARGEBACK))
    return events.eventOf({ eventId, type }, events.NOTHING)
  return events.eventOf({ eventId, type }, { references: [id], statement: null })
}

const MONEY_THAT_CAME = ['approved', 'refunded', 'charged_back', 'in_mediation']
const DISPUTES: Partial<Record<string, 'open' | 'won' | 'lost'>> = { settled: 'lost', reimbursed: 'won' }

/** Everything that a payment's state says: that its money came, what went back, and how a dispute stands. */
function eventsOf(payment: Payment, now: Date): ProviderEvent[] {
  const {
    id,
    status,
    status_detail: detail,
    currency_id: currency,
    transaction_amount_refunded: back,
  } = payment
  const at = events.momentOf(payment.date_approved ?? payment.date_last_updated, now)
  const references = [payment.external_reference, MONEY_THAT_CAME.includes(status) ? id : null]
  const event = (type: string, key: readonly unknown[], statement: Statement | null) =>
    events.eventOf(
      { eventId: [id, type, ...key].join(':'), type: `payment ${type}` },
      { references, statement },
    )

  const said = [event(status, [payment.transaction_amount, currency], statementOf())]
  if (back && /[1-9]/.test(back)) {
    const money = amounts.decimalMoneyOf(back, currency)
    said.push(
      event('refunded total', [back, currency], { kind: 'refunded_total', at: timestamp(now), money }),
    )
  }
  for (const refund of payment.refunds ?? []) {
    const money = amounts.decimalMoneyOf(refund.amount, currency)
    const state = refundState(refund.status)
    const statement = statements.refundOf(timestamp(now), { id: refund.id, money, state })
    said.push(event('refund', [refund.id, state, refund.amount], statement))
  }
  if (status === 'charged_back' || status === 'in_mediation') {
    const state = events.entryOf(DISPUTES, detail) ?? 'open'
    said.push(event('dispute', [state], { kind: 'dispute', at: timestamp(now), disputeId: id, state }))
  }
  return said

  function statementOf(): Statement | null {
    if (MONEY_THAT_CAME.includes(status)) {
      return { kind: 'succeeded', at, money: amounts.decimalMoneyOf(payment.transaction_amount, currency) }
    }
    if (status === 'cancelled') return { kind: detail === 'expired' ? 'expired' : 'cancelled', at }
    if (status === 'pending' || status === 'in_process' || status === 'authorized')
      return { kind: 'processing', at }
    if (status !== 'rejected') return null
    return statements.failed(at, { code: detail || 'rejected', message: 'The payment was rejected.' })
  }
}

function disputeEvent(
  { id, payments, coverage_applied }: z.infer<typeof Chargeback>,
  now: Date,
): ProviderEvent {
  const state = coverage_applied == null ? 'open' : coverage_applied ? 'won' : 'lost'
  const statement: Statement = { kind: 'dispute', at: timestamp(now), disputeId: payments[0] ?? id, state }
  return events.eventOf(
    { eventId: `chargeback:${id}:${state}`, type: CHARGEBACK },
    { references: payments, statement },
  )
}

const CURRENCIES: readonly Currency[] = ['ARS', 'BRL', 'CLP', 'COP', 'MXN', 'PEN', 'UYU']

/** Pesos of Colombia are asked for without centavos. */
const amountOf = (money: { amount: number; currency: Currency }) =>
  amounts.decimalTextOf(money, money.currency === 'COP' || money.currency === 'CLP' ? 0 : 2)

/**
 * Mercado Pago's checkout. Callbacks carry `x-signature`, HMAC-SHA256 over the id in the query, the request's id
 * and a time: run against the official SDK, which sets no limit of age, and whose seconds may be milliseconds.
 * The body is not signed, so the payment is asked about. Requests were read in the SDK's types; a partial
 * refund's state, the list of refunds and how chargebacks read are general knowledge: try them with test accounts first.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ accessToken, webhookSecrets, apiBase }, { http, now, publicUrl, callbackUrl }) => {
    const api = wire.jsonApi(http, apiBase, { authorization: `Bearer ${accessToken}` })
    const askedById = async (id: string, type: string | undefined): Promise<ProviderEvent[]> => {
      if (type === CHARGEBACK) {
        const chargeback = wire.foundIn(
          Chargeback,
          await api.get(`/v1/chargebacks/${encodeURIComponent(id)}`),
        )
        return chargeback ? [disputeEvent(chargeback, now())] : []
      }
      const payment = wire.foundIn(Payment, await api.get(`/v1/payments/${encodeURIComponent(id)}`))
      return payment ? eventsOf(payment, now()) : []
    }
    return {
      currencies: CURRENCIES,
      countries: ['AR', 'BR', 'CL', 'CO', 'MX', 'PE', 'UY'],
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: (request) => isSigned(request, webhookSecrets) && 'sender',
      translate: (request) => [translate(request)],
      refuses: (order) => (amountOf(order) === undefined ? 'must be a whole number of units' : undefined),
      start: async (order) => {
        const returnUrl = order.returnUrl ?? publicUrl
        const price = { unit_price: Number(amountOf(order)), currency_id: order.currency }
        const request = {
          items: [{ title: order.purpose, quantity: 1, ...price }],
          payer: { email: order.email },
          external_reference: order.id,
          notification_url: callbackUrl,
          back_urls: { success: returnUrl, pending: returnUrl, failure: returnUrl },
        }
        const answer = await api.post('/checkout/preferences', request, { 'x-idempotency-key': order.id })
        const { id, init_point: url } = wire.answered(Started, answer)
        return { url, expiresAt: null, references: [id] }
      },
      ask: async ({ references, payment, claim }) => {
        const [id] = claim?.references ?? []
        if (id) return wire.concerning(payment, await askedById(id, claim?.type))
        const search = new URLSearchParams({ external_reference: payment?.id ?? references[0] ?? '' })
        const found = wire.foundIn(Found, await api.get(`/v1/payments/search?${search}`))
        return (found?.results ?? []).flatMap((result) => eventsOf(result, now()))
      },
      refund: async ({ id, payment, amount, currency }) => {
        const paid = payment.references.find((reference) => /^\d+$/.test(reference))
        if (!paid) return wire.REFUSED
        const request = { amount: Number(amountOf({ amount, currency })) }
        const answer = await api.post(`/v1/payments/${paid}/refunds`, request, { 'x-idempotency-key': id })
        if (wire.isRefusal(answer)) return wire.REFUSED
        const refund = wire.answeredExactly(Refunded, answer)
        return { state: refundState(refund.status), providerRefundId: refund.id }
      },
    }
  },
})
