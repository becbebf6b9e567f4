import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import type { CallbackRequest, ProviderEvent, Trust } from '../provider/provider.ts'

const config = z.object({
  apiKey: settings.secret,
  /** Of signed webhooks; those that Mollie does not sign are asked about. */
  webhookSecrets: z.array(settings.secret).default([]),
  apiBase: settings.apiBase('https://api.mollie.com'),
})

const text = z.string().nullish()
const id = z.string().min(1).max(255)
const Amount = z.object({ value: z.string(), currency: z.string() })
const Metadata = z.object({ payment_id: z.string(), refund_id: z.string().optional() }).nullish().catch(null)

const Refund = z.object({
  id,
  paymentId: text,
  status: text,
  amount: Amount,
  metadata: Metadata,
  createdAt: text,
})
const Chargeback = z.object({ id, paymentId: text, amount: Amount, createdAt: text, reversedAt: text })
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
  _links: z.object({ checkout: z.object({ href: z.url() }).nullish() }).nullish(),
  expiresAt: text,
})
type Payment = z.infer<typeof Payment>

const Envelope = z.object({
  id,
  type: z.string(),
  entityId: text,
  createdAt: text,
  _embedded: z.object({ entity: z.unknown() }).nullish(),
})

const moneyOf = ({ value, currency }: z.infer<typeof Amount>) => amounts.decimalMoneyOf(value, currency)

/** Refunds and chargebacks leave a payment `paid`: they are told apart from it. */
function paymentTold(payment: Payment, at: Timestamp): events.Told {
  return { references: [payment.metadata?.payment_id, payment.id], statement: statementOf() }

  function statementOf(): Statement | null {
    const { status, amount, details } = payment
    if (status === 'paid') return { kind: 'succeeded', at, money: moneyOf(amount) }
    if (status === 'canceled') return { kind: 'cancelled', at }
    if (status === 'expired') return { kind: 'expired', at }
    if (status === 'pending' || status === 'authorized') return { kind: 'processing', at }
    if (status !== 'failed') return null
    return statements.failed(at, { code: details?.failureReason, message: details?.failureMessage })
  }
}

const refundState = (status: string | null | undefined) =>
  status === 'refunded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending'

const refundTold = (refund: z.infer<typeof Refund>, at: Timestamp): events.Told => ({
  references: [refund.metadata?.payment_id, refund.paymentId],
  statement: statements.refundOf(at, {
    id: refund.id,
    money: moneyOf(refund.amount),
    state: refundState(refund.status),
    ours: refund.metadata?.refund_id,
  }),
})

const chargebackTold = (
  { id, paymentId, reversedAt }: z.infer<typeof Chargeback>,
  at: Timestamp,
): events.Told => ({
  references: [paymentId],
  statement: { kind: 'dispute', at, disputeId: id, state: reversedAt ? 'won' : 'open' },
})

/** What a signed event tells of its entity; one that came without it only points at a payment. */
function signedEvent(rawBody: Buffer, now: Date): ProviderEvent {
  const envelope = Envelope.safeParse(events.jsonOf(rawBody))
  if (!envelope.success) return events.unreadable(rawBody, envelope.error)
  const { id: eventId, type, entityId, createdAt, _embedded } = envelope.data
  const at = events.momentOf(createdAt, now)
  return events.eventOf({ eventId, type }, toldOf())

  function toldOf() {
    const entity = _embedded?.entity
    if (!entity)
      return entityId?.startsWith('tr_') ? { references: [entityId], statement: null } : events.NOTHING
    if (type.startsWith('payment.'))
      return events.told(Payment, entity, (payment) => paymentTold(payment, at))
    if (type.startsWith('refund.')) return events.told(Refund, entity, (refund) => refundTold(refund, at))
    if (type.startsWith('chargeback.'))
      return events.told(Chargeback, entity, (part) => chargebackTold(part, at))
    return events.NOTHING
  }
}

/** The id in the one field of an unsigned callback. */
function paymentIdIn(rawBody: Buffer): string | undefined {
  const [[field, value] = [], ...more] = [...new URLSearchParams(rawBody.toString('utf8'))]
  return field === 'id' && more.length === 0 && /^tr_\w{1,40}$/.test(value ?? '') ? value : undefined
}

const pointer = (paymentId: string): ProviderEvent =>
  events.eventOf({ eventId: paymentId, type: 'payment' }, { references: [paymentId], statement: null })

/** Everything the API says of a payment, each under an id made of its state. */
function asked(payment: Payment, now: Date): ProviderEvent[] {
  const { id, status, amount, paidAt, _embedded } = payment
  const event = (key: readonly unknown[], type: string, { references, statement }: events.Told) =>
    events.eventOf(
      { eventId: key.join(':'), type },
      { references: [payment.metadata?.payment_id, id, ...references], statement },
    )
  return [
    event(
      [id, status, amount.value, amount.currency],
      `payment.${status}`,
      paymentTold(payment, events.momentOf(paidAt, now)),
    ),
    ...(_embedded?.refunds ?? []).map((refund) =>
      event(
        [refund.id, refund.status],
        `refund.${refund.status}`,
        refundTold(refund, events.momentOf(refund.createdAt, now)),
      ),
    ),
    ...(_embedded?.chargebacks ?? []).map((part) =>
      event(
        [part.id, part.reversedAt ?? 'received'],
        'chargeback',
        chargebackTold(part, events.momentOf(part.createdAt, now)),
      ),
    ),
  ]
}

/** The header of a signed webhook with these bytes. */
export const mollieSignature = (secret: string, rawBody: Buffer): string =>
  `sha256=${signatures.hmac('sha256', secret, [rawBody], 'hex')}`

/** The prefix may be missing, and a header sent twice arrives as one list. */
function isSigned({ headers, rawBody }: CallbackRequest, secrets: readonly string[]): boolean {
  const offered = (headers['x-mollie-signature'] ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^sha256=/, ''))
  return secrets.some((secret) => {
    const expected = signatures.hmac('sha256', secret, [rawBody], 'hex')
    return offered.some((signature) => signatures.sameText(signature, expected))
  })
}

const isWhole = (rawBody: Buffer): boolean =>
  Boolean(Envelope.safeParse(events.jsonOf(rawBody)).data?._embedded?.entity)

/**
 * Mollie's checkout. Webhooks of the newer kind carry `X-Mollie-Signature`, HMAC-SHA256 of the body: run against the
 * official SDK. The older kind, which every payment of ours asks for, is a form with an id and no signature, as
 * documented: nothing of it is believed but what the API says of that id. Where signed webhooks are set up, an
 * unsigned one is refused unless the API knows the payment as ours. Requests were read in the SDK; the events
 * are recent: try them in test mode first.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now, publicUrl, callbackUrl }) => {
    const api = wire.jsonApi(http, `${apiBase}/v2`, { authorization: `Bearer ${apiKey}` })
    const find = async (paymentId: string) =>
      wire.plainIn(
        Payment,
        await api.get(`/payments/${encodeURIComponent(paymentId)}?embed=refunds,chargebacks`),
      )
    const isOurs = async (paymentId: string) =>
      PaymentId.safeParse((await find(paymentId))?.metadata?.payment_id).success
    const trustUnsigned = async (rawBody: Buffer): Promise<Trust> => {
      const paymentId = paymentIdIn(rawBody)
      if (!paymentId) return false
      return webhookSecrets.length === 0 || (await isOurs(paymentId)) ? 'nobody' : false
    }
    return {
      currencies: CURRENCIES,
      countries: COUNTRIES,
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: (request) => {
        if (request.headers['x-mollie-signature'] === undefined) return trustUnsigned(request.rawBody)
        return isSigned(request, webhookSecrets) && (isWhole(request.rawBody) || 'sender')
      },
      translate: ({ rawBody }) => {
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
        const { id, _links, expiresAt } = wire.answered(Payment, answer)
        const url = _links?.checkout?.href ?? null
        return { url, expiresAt: events.namedMoment(expiresAt), references: [id] }
      },
      ask: async ({ references, payment }) => {
        const paymentId = (payment?.references ?? references).find((name) => name.startsWith('tr_'))
        const found = paymentId && (await find(paymentId))
        return found ? asked(found, now()) : []
      },
      findsRefunds: true,
      refund: async ({ id, payment, amount, currency }) => {
        const paymentId = payment.references.find((name) => name.startsWith('tr_')) ?? ''
        // Mollie keeps an idempotency key for an hour; a refund may wait for days.
        const earlier = (await find(paymentId))?._embedded?.refunds ?? []
        const same = earlier.find(({ metadata }) => metadata?.refund_id === id)
        if (same) return { state: refundState(same.status), providerRefundId: same.id }
        const request = {
          amount: { currency, value: amounts.decimalTextOf({ amount, currency }) },
          metadata: { payment_id: payment.id, refund_id: id },
        }
        const answer = await api.post(`/payments/${paymentId}/refunds`, request, {
          'idempotency-key': wire.uuidOf(id),
        })
        if (wire.isRefusal(answer)) return wire.REFUSED
        const refund = wire.answered(Refund, answer)
        return { state: refundState(refund.status), providerRefundId: refund.id }
      },
    }
  },
})

/** Mollie docs: "Multicurrency"; general knowledge. */
const CURRENCIES = amounts.currencies(
  'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR',
)

/** Where a business can open an account; general knowledge. */
const COUNTRIES =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ')
