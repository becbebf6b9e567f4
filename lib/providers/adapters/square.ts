import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { cutText } from '#lib/kernel/cut-text'
import { Currency } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import { NO_PAGE, readWholeList } from '../kit/lists.ts'
import * as statements from '../kit/statements.ts'
import { defineProvider, type KnownPayment, type ProviderEvent, type ProviderHttp } from '../provider.ts'

const config = z.object({
  accessToken: settings.secret,
  /** No secret, but checked like one: it must not be empty. */
  locationId: settings.identifier,
  /** The one currency of the location; without it every currency of Square's is offered. */
  currency: Currency.optional(),
  webhookSecrets: settings.secrets,
  /** As registered with Square, byte for byte: it is signed. */
  notificationUrl: z.url().optional(),
  apiBase: settings.apiBase('https://connect.squareup.com'),
})

const text = z.string().nullish()
const Amount = z.object({ amount: z.number().nullish(), currency: text }).nullish()

const id = z.string().min(1).max(255)
const Failures = z.array(z.object({ code: text, detail: text })).nullish()
const Payment = z.object({
  id,
  status: text,
  amount_money: Amount,
  processing_fee: z.array(z.object({ amount_money: Amount })).nullish(),
  refund_ids: z.array(z.string()).nullish(),
  card_details: z.object({ errors: Failures }).nullish(),
  order_id: text,
  reference_id: text,
  updated_at: text,
})
type Payment = z.infer<typeof Payment>
const Refund = z.object({
  id,
  payment_id: text,
  status: text,
  amount_money: Amount,
  reason: text,
  updated_at: text,
})
type Refund = z.infer<typeof Refund>
/** Older events, such as `dispute.state.changed`, have the id in another field. */
const Dispute = z
  .object({
    id: text,
    dispute_id: text,
    state: text,
    amount_money: Amount,
    reason: text,
    due_at: text,
    updated_at: text,
    disputed_payment: z.object({ payment_id: text }).nullish(),
  })
  .transform(({ id, dispute_id, ...dispute }) => ({ ...dispute, id: id ?? dispute_id ?? '' }))
type Dispute = z.infer<typeof Dispute>
const Envelope = z.object({
  event_id: z.string().min(1),
  type: z.string(),
  created_at: text,
  /** By kind: a payment, a refund, a dispute. */
  data: z.object({ object: z.record(z.string(), z.unknown()).nullish() }),
})

const Started = z.object({ payment_link: z.object({ id: z.string(), url: z.url(), order_id: z.string() }) })
const Order = z.object({
  id: z.string(),
  reference_id: text,
  state: text,
  tenders: z.array(z.object({ payment_id: text })).nullish(),
})
type Order = z.infer<typeof Order>
const ReadOrder = z.object({ order: Order })
const ReadPayment = z.object({ payment: Payment })
const Payments = z.object({
  payments: z.array(z.object({ order_id: text, note: text })).nullish(),
  cursor: text,
})
const ReadRefund = z.object({ refund: Refund })
const Disputes = z.object({ disputes: z.array(Dispute).nullish(), cursor: text })
const Deleted = z.object({ cancelled_order_id: text })
const Reason = z
  .object({ errors: Failures })
  .transform(({ errors }) => ({ code: errors?.[0]?.code, message: errors?.[0]?.detail }))

const moneyOf = (money: z.infer<typeof Amount>) => amounts.moneyOf(money?.amount, money?.currency)

/** Interprets a try to pay. The payer may try again on the same page. A try is paid when completed, not when approved. */
function chargeState(payment: Payment, at: Timestamp): PaymentReading['charges'][number] | null {
  const { id, status, amount_money, card_details } = payment
  if (status === 'COMPLETED') return statements.chargeOf(at, { id, money: moneyOf(amount_money) })
  if (status === 'APPROVED' || status === 'PENDING') return statements.processingOf(at, id)
  if (status !== 'FAILED' && status !== 'CANCELED') return null
  const { code, detail } = card_details?.errors?.[0] ?? {}
  return statements.failureOf(at, {
    final: false,
    code: code ?? status.toLowerCase(),
    message: detail,
    tryId: id,
  })
}

const REFUND_STATES: Partial<Record<string, 'succeeded' | 'failed'>> = {
  COMPLETED: 'succeeded',
  REJECTED: 'failed',
  FAILED: 'failed',
}
const refundState = (status: string | null | undefined) => events.entryOf(REFUND_STATES, status) ?? 'pending'

/** The most characters of a refund's reason. */
const REASON_LENGTH = 192

/** Puts our id before the reason of a refund: Square has no other field for it. */
const reasonWith = (refundId: string, reason: string | null): string =>
  cutText([refundId, ...(reason ? [reason] : [])].join(' '), REASON_LENGTH)

const refundOf = ({ id, status, amount_money, reason, payment_id }: Refund, at: Timestamp) => {
  const ours = statements.ownRefundId(reason)
  return statements.refundOf(at, {
    id,
    money: moneyOf(amount_money),
    state: refundState(status),
    chargeId: payment_id,
    reason: (ours ? reason?.slice(ours.length).trim() : reason) || null,
    ours,
  })
}

const DISPUTE_STATES: Partial<Record<string, StatementOf<'dispute'>['state']>> = {
  INQUIRY_EVIDENCE_REQUIRED: 'inquiry',
  INQUIRY_PROCESSING: 'inquiry',
  INQUIRY_CLOSED: 'won',
  WON: 'won',
  LOST: 'lost',
  ACCEPTED: 'lost',
}

const disputeOf = (dispute: Dispute, otherwise: Date): StatementOf<'dispute'> =>
  statements.disputeOf(events.momentOf(dispute.updated_at, otherwise), {
    id: dispute.id,
    state: events.entryOf(DISPUTE_STATES, dispute.state) ?? 'open',
    money: moneyOf(dispute.amount_money),
    chargeId: dispute.disputed_payment?.payment_id,
    reason: dispute.reason,
    respondBy: dispute.due_at,
  })

function interpret(rawBody: Buffer, now: Date): ProviderEvent {
  const envelope = Envelope.safeParse(events.jsonOf(rawBody))
  if (!envelope.success) return events.unreadableEvent(rawBody, envelope.error)
  const { event_id: eventId, type, created_at, data } = envelope.data
  const { payment, refund, dispute }: Record<string, unknown> = data.object ?? {}
  const at = events.momentOf(created_at, now)
  return events.eventOf({ eventId, type }, interpretObject())

  function interpretObject() {
    if (type.startsWith('payment.'))
      return events.interpret(Payment, payment, (part) => ({
        references: [part.reference_id, part.order_id, part.id],
        statement: chargeState(part, at),
      }))
    // A refund has an order of its own, which names no payment.
    if (type.startsWith('refund.'))
      return events.interpret(Refund, refund, (part) => ({
        references: [part.payment_id],
        statement: refundOf(part, at),
      }))
    // Evidence has events of its own, without the dispute.
    if (!type.startsWith('dispute.') || !dispute) return events.NO_PAYMENT
    return events.interpret(Dispute, dispute, (part) => ({
      references: [part.disputed_payment?.payment_id],
      statement: disputeOf(part, new Date(at)),
    }))
  }
}

/** Returns the header that Square sends with these bytes to this address. */
export const squareSignature = (secret: string, notificationUrl: string, rawBody: Buffer): string =>
  signatures.hmac('sha256', secret, [notificationUrl, rawBody], 'base64')

/**
 * The version whose fields are read here: that of Square's published API. Without it Square uses the application's own
 * version.
 */
const SQUARE_VERSION = '2025-08-20'

const apiOf = (http: ProviderHttp, apiBase: string, accessToken: string, locationId: string) => {
  const headers = { authorization: `Bearer ${accessToken}`, 'square-version': SQUARE_VERSION }
  const api = wire.jsonApi(http, `${apiBase}/v2`, headers)
  const payment = async (paymentId: string) =>
    wire.readAnswer(ReadPayment, await api.get(`/payments/${encodeURIComponent(paymentId)}`)).payment
  const order = async (orderId: string): Promise<Order | undefined> =>
    wire.readFound(ReadOrder, await api.get(`/orders/${encodeURIComponent(orderId)}`))?.order
  /** Returns the ids of the orders that were paid at the location with a note since a time. */
  const ordersNoted = async (note: string, since: Timestamp): Promise<string[]> => {
    const first = `/payments?${new URLSearchParams({ location_id: locationId, begin_time: since, limit: '100' })}`
    const found = await readWholeList(first, async (path) => {
      const { payments, cursor } = wire.readFound(Payments, await api.get(path)) ?? {}
      return { items: payments ?? [], next: cursor ? `${first}&cursor=${encodeURIComponent(cursor)}` : null }
    })
    return found.flatMap((each) => (each.note === note && each.order_id ? [each.order_id] : []))
  }
  const refund = async (refundId: string) =>
    wire.readFound(ReadRefund, await api.get(`/refunds/${encodeURIComponent(refundId)}`))?.refund
  return {
    ...api,
    order,
    /** Returns an order by its id, by its payment's id or, for a payment of ours, by the note of Square's payment. */
    orderOf: async (
      references: readonly string[],
      known: KnownPayment | null,
    ): Promise<Order | undefined> => {
      const ids = references.filter((each) => each !== known?.id).slice(0, IDS_TRIED)
      for (const orderId of ids) {
        const found = await order(orderId)
        if (found) return found
      }
      for (const paymentId of ids) {
        const answer = await api.get(`/payments/${encodeURIComponent(paymentId)}`)
        const { order_id } = wire.readFound(ReadPayment, answer)?.payment ?? {}
        if (order_id) return order(order_id)
      }
      const [noted] = known ? await ordersNoted(known.id, known.createdAt) : []
      return noted === undefined ? undefined : order(noted)
    },
    payments: (order: Order): Promise<Payment[]> =>
      Promise.all(
        (order.tenders ?? []).flatMap(({ payment_id }) => (payment_id ? [payment(payment_id)] : [])),
      ),
    refunds: async ({ refund_ids }: Payment): Promise<Refund[]> =>
      (await Promise.all((refund_ids ?? []).map(refund))).flatMap((each) => each ?? []),
    /** All disputes of the location about these payments; none for a token that may not read disputes. */
    disputes: async (paymentIds: readonly string[]): Promise<Dispute[]> => {
      const first = `/disputes?location_id=${encodeURIComponent(locationId)}`
      const found = await readWholeList(first, async (path) => {
        const answer = await api.get(path)
        if (answer.status === 403 || answer.status === 404) return NO_PAGE
        const { disputes, cursor } = wire.readAnswer(Disputes, answer)
        const next = cursor ? `${first}&cursor=${encodeURIComponent(cursor)}` : undefined
        return { items: disputes ?? [], next }
      })
      return found.filter(({ disputed_payment: about }) => paymentIds.includes(about?.payment_id ?? ''))
    },
  }
}
type Api = ReturnType<typeof apiOf>

/** The most ids of a payment that are tried to find its order. */
const IDS_TRIED = 3

const isPaid = ({ status }: Payment): boolean => status === 'COMPLETED'

/** Returns the fees of a payment, each named by its index. Fees that Square gives back are not counted. */
const feesOf = ({ id, processing_fee }: Payment, now: Date): StatementOf<'fee'>[] =>
  (processing_fee ?? []).flatMap(({ amount_money }, index) =>
    statements.feesOf(now, `${id}:${index}`, moneyOf(amount_money)),
  )

async function read(api: Api, order: Order, now: Date): Promise<PaymentReading> {
  const payments = await api.payments(order)
  const paid = payments.filter(isPaid)
  const references = [order.reference_id, order.id, ...paid.map(({ id }) => id)]
  const tries = (paid.length > 0 ? paid : payments).flatMap(
    (payment) => chargeState(payment, events.momentOf(payment.updated_at, now)) ?? [],
  )
  if (paid.length === 0) {
    const isCancelled = order.state === 'CANCELED'
    return statements.readingOf({
      references,
      charges: isCancelled ? [{ kind: 'cancelled', at: timestamp(now) }] : tries,
    })
  }
  const [refunds, disputes] = await Promise.all([
    Promise.all(paid.map(api.refunds)),
    api.disputes(paid.map(({ id }) => id)),
  ])
  return statements.readingOf({
    references,
    charges: tries,
    refunds: refunds.flat().map((refund) => refundOf(refund, events.momentOf(refund.updated_at, now))),
    disputes: disputes.map((dispute) => disputeOf(dispute, now)),
    fees: paid.flatMap((payment) => feesOf(payment, now)),
  })
}

/** Square's help, "Payment Links FAQ", as it says to sellers in Australia and in Japan; the least is one minor unit. */
const LIMITS = { AUD: { min: 1, max: 5_000_000 }, JPY: { min: 1, max: 9_999_999 } }

/** The countries that Square serves, by the currency that a location has there. */
const COUNTRIES: Partial<Record<Currency, readonly string[]>> = {
  AUD: ['AU'],
  CAD: ['CA'],
  EUR: ['ES', 'FR', 'IE'],
  GBP: ['GB'],
  JPY: ['JP'],
  USD: ['US'],
}
const CURRENCIES = amounts.currencies(Object.keys(COUNTRIES).join(' '))

/**
 * Square's payment links. Callbacks carry `x-square-hmacsha256-signature`, HMAC-SHA256 over the registered address and
 * the body, without a time: tested against the official SDK. Requests and states are as in Square's published API; that
 * another try may follow a failed one on the same page is not documented. The idempotency key is a field of the
 * body. A payment names its order, and the order names our payment. A link has no end of its own; deleting it cancels
 * its order.
 */
export const provider = defineProvider({
  config,
  open: ({ accessToken, locationId, currency: own, webhookSecrets, notificationUrl, apiBase }, tools) => {
    const { http, now, publicUrl, callbackUrl } = tools
    const api = apiOf(http, apiBase, accessToken, locationId)
    const currencies = own ? [own] : CURRENCIES
    return {
      currencies,
      limits: LIMITS,
      countries: currencies.flatMap((each) => COUNTRIES[each] ?? []),
      callbackMethods: ['POST'],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) =>
        signatures.isMadeByAny(headers['x-square-hmacsha256-signature'], webhookSecrets, (secret) =>
          squareSignature(secret, notificationUrl ?? callbackUrl, rawBody),
        )
          ? 'signed'
          : 'forged',
      interpret: ({ rawBody }) => [interpret(rawBody, now())],
      start: async ({ id, amount, currency, purpose, returnUrl }) => {
        const item = { name: purpose, quantity: '1', base_price_money: { amount, currency } }
        const request = {
          idempotency_key: id,
          order: { location_id: locationId, reference_id: id, line_items: [item] },
          checkout_options: { redirect_url: returnUrl ?? publicUrl },
          payment_note: id,
        }
        const answer = await api.post('/online-checkout/payment-links', request, undefined, wire.RETRY)
        const refused = wire.refusalOf(answer, Reason)
        if (refused) return refused
        const { payment_link: link } = wire.readAnswer(Started, answer)
        return { url: link.url, expiresAt: null, references: [link.order_id, link.id] }
      },
      close: async ({ references: [orderId, linkId] }) => {
        if (!orderId || !linkId) return false
        const answer = await api.delete(`/online-checkout/payment-links/${encodeURIComponent(linkId)}`)
        if (!wire.isRefusal(answer) && wire.readAnswer(Deleted, answer).cancelled_order_id) return true
        // A link deleted before is not found, and a paid link cancels no order.
        return (await api.order(orderId))?.state === 'CANCELED'
      },
      readPayment: async ({ references, payment }) => {
        const order = await api.orderOf(payment?.references ?? references, payment)
        return order ? read(api, order, now()) : null
      },
      startRefund: async ({ id, key, payment, chargeId, amount, currency, reason }) => {
        const paymentId = chargeId ?? (await paidIn(payment))
        if (!paymentId) return wire.REFUSED
        const request = {
          idempotency_key: key,
          payment_id: paymentId,
          amount_money: { amount, currency },
          reason: reasonWith(id, reason),
        }
        const answer = await api.post('/refunds', request, undefined, wire.NO_RETRY)
        if (wire.isRefusal(answer)) return wire.REFUSED
        const { refund } = wire.readAnswer(ReadRefund, answer)
        return { state: refundState(refund.status), providerRefundId: refund.id }
      },
    }

    async function paidIn(payment: KnownPayment): Promise<string | undefined> {
      const order = await api.orderOf(payment.references, payment)
      return order && (await api.payments(order)).find(isPaid)?.id
    }
  },
})
