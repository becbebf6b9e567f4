import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import * as signatures from '#lib/kernel/signatures'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import * as statements from '../kit/statements.ts'
import { type CallbackRequest, defineProvider, type ProviderEvent } from '../provider.ts'

const config = z.object({
  apiKey: settings.secret,
  /** The secrets of signed webhooks; unsigned ones are read from Mollie's API. */
  webhookSecrets: z.array(settings.secret).default([]),
  apiBase: settings.apiBase('https://api.mollie.com'),
})

const text = z.string().nullish()
const id = z.string().min(1).max(255)
const Amount = z.object({ value: z.string(), currency: z.string() })
const Metadata = z.object({ payment_id: text, refund_id: text }).nullish().catch(null)

const Refund = z.object({
  id,
  paymentId: text,
  status: text,
  amount: Amount,
  metadata: Metadata,
  createdAt: text,
})
type Refund = z.infer<typeof Refund>
const Chargeback = z.object({
  id,
  paymentId: text,
  amount: Amount,
  reason: z.object({ code: text, description: text }).nullish(),
  createdAt: text,
  reversedAt: text,
})
type Chargeback = z.infer<typeof Chargeback>
const Payment = z.object({
  id,
  status: z.string(),
  amount: Amount,
  metadata: Metadata,
  paidAt: text,
  details: z.object({ failureReason: text, failureMessage: text }).nullish().catch(null),
  _embedded: z
    .object({ refunds: z.array(Refund).nullish(), chargebacks: z.array(Chargeback).nullish() })
    .nullish(),
})
type Payment = z.infer<typeof Payment>
/** A booking on the balance for a payment; `deductions` is negative. */
const BalanceTransaction = z.object({
  type: text,
  deductions: Amount.nullish(),
  context: z
    .object({ paymentId: text, payment: z.object({ paymentId: text }).nullish() })
    .nullish()
    .catch(null),
})

const Started = z.object({
  id,
  expiresAt: text,
  _links: z.object({ checkout: z.object({ href: z.url() }) }),
})
const Reason = z.object({ detail: text }).transform(({ detail }) => ({ message: detail }))

const Envelope = z.object({
  id,
  type: z.string(),
  entityId: text,
  createdAt: text,
  _embedded: z.object({ entity: z.unknown() }).nullish(),
})

const moneyOf = ({ value, currency }: z.infer<typeof Amount>) => amounts.decimalMoneyOf(value, currency)

/** Interprets a payment's status. Refunds and chargebacks leave it `paid`. */
function chargeState(payment: Payment, at: Timestamp): PaymentReading['charges'][number] | null {
  const { id, status, amount, details } = payment
  if (status === 'paid') return statements.chargeOf(at, { id, money: moneyOf(amount) })
  if (status === 'canceled') return { kind: 'cancelled', at }
  if (status === 'expired') return { kind: 'expired', at }
  if (status === 'pending' || status === 'authorized') return { kind: 'processing', at }
  if (status !== 'failed') return null
  return statements.failureOf(at, { code: details?.failureReason, message: details?.failureMessage })
}

const refundState = (status: string | null | undefined) => {
  if (status === 'refunded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}

const refundOf = ({ id, paymentId, amount, status, metadata }: Refund, at: Timestamp) =>
  statements.refundOf(at, {
    id,
    money: moneyOf(amount),
    state: refundState(status),
    chargeId: paymentId,
    ours: metadata?.refund_id,
  })

/** States a chargeback as a lost dispute, since its money is taken at once; as a won one after its reversal. */
const chargebackOf = ({ id, paymentId, amount, reason, createdAt, reversedAt }: Chargeback, now: Date) =>
  statements.disputeOf(events.momentOf(reversedAt ?? createdAt, now), {
    id,
    state: reversedAt ? 'won' : 'lost',
    money: moneyOf(amount),
    chargeId: paymentId,
    reason: reason?.description ?? reason?.code,
  })

/** Interprets a signed event. A webhook without its entity only points at a payment. */
function signedEvent(rawBody: Buffer, now: Date): ProviderEvent {
  const envelope = Envelope.safeParse(events.jsonOf(rawBody))
  if (!envelope.success) return events.unreadableEvent(rawBody, envelope.error)
  const { id: eventId, type, entityId, createdAt, _embedded } = envelope.data
  const pointed = isPayment(entityId) ? { references: [entityId], statement: null } : events.NO_PAYMENT
  const entity = _embedded?.entity
  const interpretation = entity ? interpretEntity(type, entity, events.momentOf(createdAt, now)) : pointed
  return events.eventOf({ eventId, type }, interpretation)
}

function interpretEntity(type: string, entity: unknown, at: Timestamp) {
  if (type.startsWith('payment.'))
    return events.interpret(Payment, entity, (payment) => ({
      references: [payment.metadata?.payment_id, payment.id],
      statement: chargeState(payment, at),
    }))
  if (type.startsWith('refund.'))
    return events.interpret(Refund, entity, (refund) => ({
      references: [refund.metadata?.payment_id, refund.paymentId],
      statement: refundOf(refund, at),
    }))
  if (type.startsWith('balance-transaction.'))
    return events.interpret(BalanceTransaction, entity, (booking) => interpretBooking(booking, at))
  if (!type.startsWith('chargeback.')) return events.NO_PAYMENT
  return events.interpret(Chargeback, entity, (chargeback) => ({
    references: [chargeback.paymentId],
    statement: chargebackOf(chargeback, new Date(at)),
  }))
}

/** Interprets a booking: the fee of a payment, where it says what was deducted for one. */
function interpretBooking(booking: z.infer<typeof BalanceTransaction>, at: Timestamp): events.Interpretation {
  const { type, deductions, context } = booking
  const paymentId = context?.payment?.paymentId ?? context?.paymentId
  if (type !== 'payment' || !paymentId || !deductions) return events.NO_PAYMENT
  // A fee is stated as a positive sum.
  const money = moneyOf({ ...deductions, value: deductions.value.replace('-', '') })
  return { references: [paymentId], statement: { kind: 'fee', at, feeId: paymentId, money } }
}

/** Returns the id in the one field of an unsigned callback; undefined for any other body. */
function paymentIdIn(rawBody: Buffer): string | undefined {
  const [first, ...more] = [...new URLSearchParams(rawBody.toString('utf8'))]
  const [field, value = ''] = first ?? []
  if (field !== 'id' || more.length > 0) return undefined
  return /^tr_\w{1,40}$/.test(value) ? value : undefined
}

const pointer = (paymentId: string): ProviderEvent =>
  events.eventOf({ eventId: paymentId, type: 'payment' }, { references: [paymentId], statement: null })

function read(payments: readonly Payment[], now: Date): PaymentReading {
  const stateOf = (payment: Payment) => chargeState(payment, events.momentOf(payment.paidAt, now)) ?? []
  const states = payments.flatMap(stateOf)
  const paid = states.filter(({ kind }) => kind === 'succeeded')
  return statements.readingOf({
    references: payments.flatMap(({ id, metadata }) => [metadata?.payment_id, id]),
    // Without a paid payment, the first one with a state says how ours stands.
    charges: paid.length > 0 ? paid : states.slice(0, 1),
    refunds: payments.flatMap(({ id, _embedded }) =>
      (_embedded?.refunds ?? []).map((refund) =>
        refundOf({ ...refund, paymentId: id }, events.momentOf(refund.createdAt, now)),
      ),
    ),
    disputes: payments.flatMap(({ id, _embedded }) =>
      (_embedded?.chargebacks ?? []).map((part) => chargebackOf({ ...part, paymentId: id }, now)),
    ),
  })
}

/** Returns the header of a signed webhook with these bytes. */
export const mollieSignature = (secret: string, rawBody: Buffer): string =>
  `sha256=${signatures.hmac('sha256', secret, [rawBody], 'hex')}`

/** Whether one of the secrets made the header. Its `sha256=` may be missing, and a header sent twice arrives as one list. */
function isSigned({ headers, rawBody }: CallbackRequest, secrets: readonly string[]): boolean {
  const offered = (headers['x-mollie-signature'] ?? '').split(',')
  return offered.some((part) =>
    signatures.isMadeByAny(`sha256=${part.trim().replace(/^sha256=/, '')}`, secrets, (secret) =>
      mollieSignature(secret, rawBody),
    ),
  )
}

/** Whether a signed webhook contains the entity that it is about. */
const hasEntity = (rawBody: Buffer): boolean =>
  Boolean(Envelope.safeParse(events.jsonOf(rawBody)).data?._embedded?.entity)

const isPayment = (reference: events.Text): reference is string => reference?.startsWith('tr_') === true

/** Statuses in which a payment can no longer be paid. */
const ENDED: ReadonlySet<string> = new Set(['canceled', 'expired', 'failed'])

/**
 * Mollie's checkout. Webhooks of the newer kind carry `X-Mollie-Signature`, HMAC-SHA256 of the body: tested against the
 * official SDK. The older kind, requested by every payment of ours, is a form with an id and no signature, as
 * documented: only the API's answer about that id is believed. Where signed webhooks are set up, an unsigned one is refused
 * unless the API knows the payment as ours.
 *
 * Requests are as Mollie's published API says: a payment is read with all its refunds and chargebacks, and cancelled
 * while it is open, where its method allows that. Its end depends on the method and cannot be set. Mollie does not document
 * how long it keeps an idempotency key. The signed events are recent: try them in test mode first.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now, publicUrl, callbackUrl }) => {
    const api = wire.jsonApi(http, `${apiBase}/v2`, { authorization: `Bearer ${apiKey}` })
    const find = async (paymentId: string) =>
      wire.readFound(
        Payment,
        await api.get(`/payments/${encodeURIComponent(paymentId)}?embed=refunds,chargebacks`),
      )
    return {
      currencies: CURRENCIES,
      limits: LIMITS,
      countries: COUNTRIES,
      // The HTTP methods of callbacks.
      callbackMethods: ['POST'],
      refusesUnconfirmed: webhookSecrets.length > 0,
      acknowledgement: events.ACKNOWLEDGED,
      verify: (request) => {
        if (request.headers['x-mollie-signature'] === undefined)
          return paymentIdIn(request.rawBody) ? 'unsigned' : 'forged'
        if (!isSigned(request, webhookSecrets)) return 'forged'
        // Without the entity, the signature proves the sender, but there are no contents to believe.
        return hasEntity(request.rawBody) ? 'signed' : 'sender'
      },
      interpret: ({ rawBody }) => {
        const paymentId = paymentIdIn(rawBody)
        return [paymentId ? pointer(paymentId) : signedEvent(rawBody, now())]
      },
      start: async (order) => {
        const request = {
          amount: { currency: order.currency, value: amounts.decimalTextOf(order) },
          description: order.purpose,
          redirectUrl: order.returnUrl ?? publicUrl,
          webhookUrl: callbackUrl,
          metadata: { payment_id: order.id },
        }
        const answer = await api.post('/payments', request, { 'idempotency-key': wire.uuidOf(order.id) })
        const refused = wire.refusalOf(answer, Reason)
        if (refused) return refused
        const { id, _links, expiresAt } = wire.readAnswer(Started, answer)
        return { url: _links.checkout.href, expiresAt: events.namedMoment(expiresAt), references: [id] }
      },
      close: async ({ references }) => {
        const paymentId = references.find(isPayment)
        if (!paymentId) return false
        const answer = await api.delete(`/payments/${encodeURIComponent(paymentId)}`)
        // An ended payment refuses, and so does a method that cannot be cancelled.
        const payment = wire.isRefusal(answer) ? await find(paymentId) : wire.readAnswer(Payment, answer)
        return payment !== undefined && ENDED.has(payment.status)
      },
      readPayment: async ({ references }) => {
        // The payment that we started comes first; an administrator may have attached others.
        const found = await Promise.all(references.filter(isPayment).map(find))
        const payments = found.flatMap((payment) => payment ?? [])
        return payments.length > 0 ? read(payments, now()) : null
      },
      startRefund: async ({ id, key, payment, chargeId, amount, currency }) => {
        const paymentId = chargeId ?? payment.references.find(isPayment)
        if (!paymentId) return wire.REFUSED
        const request = {
          amount: { currency, value: amounts.decimalTextOf({ amount, currency }) },
          metadata: { payment_id: payment.id, refund_id: id },
        }
        const path = `/payments/${encodeURIComponent(paymentId)}/refunds`
        // Unlike the start of a payment, this moves money: if Mollie has forgotten the key, a repetition pays twice.
        const answer = await api.post(path, request, { 'idempotency-key': wire.uuidOf(key) }, wire.NO_RETRY)
        if (wire.isRefusal(answer)) return wire.REFUSED
        const refund = wire.readAnswer(Refund, answer)
        return { state: refundState(refund.status), providerRefundId: refund.id }
      },
    }
  },
})

/**
 * In minor units. Mollie docs, "SEPA Bank Transfer": of all methods it takes the largest sum. The page shows the methods
 * that accept the sum.
 */
const LIMITS = { EUR: { min: 1, max: 100_000_000 } }

/** Mollie docs, "Multicurrency". */
const CURRENCIES = amounts.currencies(
  'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR',
)

/** Where a business can open an account; not documented as a list. */
const COUNTRIES =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ')
