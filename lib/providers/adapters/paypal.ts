import { verify as verifySignature } from 'node:crypto'
import { crc32 } from 'node:zlib'
import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import { type Currency, exponentOf } from '#lib/kernel/money'
import { signatureBytes } from '#lib/kernel/signatures'
import type { Statement, StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import { certificateRoots, certificateStore } from '../kit/certificates.ts'
import * as settings from '../kit/config.ts'
import type { Text } from '../kit/events.ts'
import * as events from '../kit/events.ts'
import { NO_PAGE, readWholeList } from '../kit/lists.ts'
import * as statements from '../kit/statements.ts'
import { withToken } from '../kit/tokens.ts'
import {
  type CallbackRequest,
  defineProvider,
  type Evidence,
  type ProviderEvent,
  type ProviderTools,
} from '../provider.ts'

const config = z.object({
  clientId: settings.identifier,
  clientSecret: settings.secret,
  webhookId: settings.identifier,
  /** The roots of the certificate with which a stand-in for PayPal signs. */
  certificateRoots: certificateRoots.optional(),
  apiBase: settings.apiBase('https://api-m.paypal.com'),
})
type Config = z.infer<typeof config>

const text = z.string().nullish()
const id = z.string().min(1).max(255)
const Amount = z.object({ currency_code: z.string(), value: z.string() })
type Amount = z.infer<typeof Amount>
const Links = z.array(z.object({ rel: z.string(), href: z.string() }))

/** A capture or a refund. */
const Movement = z.object({
  id,
  status: text,
  amount: Amount,
  custom_id: text,
  supplementary_data: z.object({ related_ids: z.object({ order_id: text }).nullish() }).nullish(),
  seller_receivable_breakdown: z.object({ paypal_fee: Amount.nullish() }).nullish(),
  update_time: text,
  links: Links.nullish(),
})
type Movement = z.infer<typeof Movement>
const Movements = z.array(Movement).nullish()
const Dispute = z.object({
  dispute_id: id,
  status: text,
  reason: text,
  dispute_life_cycle_stage: text,
  dispute_amount: Amount.nullish(),
  dispute_outcome: z.object({ outcome_code: text, amount_refunded: Amount.nullish() }).nullish(),
  seller_response_due_date: text,
  update_time: text,
  disputed_transactions: z.array(z.object({ seller_transaction_id: text, custom: text })).nullish(),
})
type Dispute = z.infer<typeof Dispute>
const Disputes = z.object({ items: z.array(Dispute).nullish(), links: Links.nullish() })
const Payments = z.object({ captures: Movements, refunds: Movements }).nullish()
const Order = z.object({
  id,
  status: z.string(),
  purchase_units: z.array(z.object({ custom_id: text, payments: Payments })).nullish(),
})
type Order = z.infer<typeof Order>

const Envelope = z.object({ id, event_type: z.string(), create_time: text, resource: z.unknown() })
const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const MadeRefund = z.object({ id, status: text })
const Verification = z.object({ verification_status: z.string() })
const Started = z
  .object({ id, links: Links.transform(pageIn).pipe(z.url()) })
  .transform(({ id, links: page }) => ({ url: page, expiresAt: null, references: [id] }))
const Reason = z
  .object({
    name: text,
    message: text,
    details: z.array(z.object({ issue: text, description: text })).nullish(),
  })
  .transform(({ name, message, details }) => ({
    code: details?.[0]?.issue ?? name,
    message: details?.[0]?.description ?? message,
  }))

function pageIn(links: z.infer<typeof Links>): string | undefined {
  return links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href
}

/** Returns the id of a refund's capture, which only a link of the refund names. */
const captureIdIn = (links: Movement['links']): string | undefined =>
  links
    ?.find(({ rel, href }) => rel === 'up' && href.includes('/captures/'))
    ?.href.split('/')
    .at(-1)

const moneyOf = (amount: Amount | null | undefined) =>
  amounts.decimalMoneyOf(amount?.value, amount?.currency_code)

/** Whether a capture was paid. A refunded one had been. */
const isPaid = ({ status }: Movement): boolean => status === 'COMPLETED' || !!status?.endsWith('REFUNDED')

function captureState(capture: Movement, at: Timestamp): PaymentReading['charges'][number] | null {
  const { id, status, amount } = capture
  if (isPaid(capture)) return statements.chargeOf(at, { id, money: moneyOf(amount) })
  if (status === 'PENDING') return { kind: 'processing', at }
  if (status !== 'DECLINED' && status !== 'DENIED' && status !== 'FAILED') return null
  return statements.failureOf(at, { code: status.toLowerCase(), message: 'The payment was declined.' })
}

function refundState(status: string | null | undefined) {
  if (status === 'COMPLETED') return 'succeeded'
  return status == null || status === 'PENDING' ? 'pending' : 'failed'
}

const refundOf = ({ id, status, amount, custom_id, links }: Movement, at: Timestamp) =>
  statements.refundOf(at, {
    id,
    money: moneyOf(amount),
    state: refundState(status),
    chargeId: captureIdIn(links),
    ours: custom_id,
  })

/** States that money of a capture was pulled back. PayPal names no dispute: the capture's id stands for it. */
const reversalOf = (captureId: string, at: Timestamp, state: 'won' | 'lost', amount?: Amount) =>
  statements.disputeOf(at, { id: captureId, state, money: moneyOf(amount), chargeId: captureId })

/** PayPal's API: "Disputes". Any other outcome counts as won: `RESOLVED_WITH_PAYOUT` costs PayPal, not us. */
const OUTCOMES: Partial<Record<string, 'won' | 'lost'>> = { RESOLVED_BUYER_FAVOUR: 'lost', ACCEPTED: 'lost' }

function disputeState({ status, dispute_outcome, dispute_life_cycle_stage: stage }: Dispute) {
  const outcome = dispute_outcome?.outcome_code
  if (outcome || status === 'RESOLVED') return events.entryOf(OUTCOMES, outcome) ?? 'won'
  return stage === 'INQUIRY' ? 'inquiry' : 'open'
}

/** Interprets a dispute. A dispute won after the money was taken also ends the reversal of its capture. */
function disputeStatements(
  dispute: Dispute,
  captureId: Text,
  otherwise: Timestamp,
): StatementOf<'dispute'>[] {
  const { dispute_outcome: outcome, dispute_life_cycle_stage: stage, update_time } = dispute
  const state = disputeState(dispute)
  const at = events.namedMoment(update_time) ?? otherwise
  const statement = statements.disputeOf(at, {
    id: dispute.dispute_id,
    state,
    money: moneyOf((state === 'lost' ? outcome?.amount_refunded : null) ?? dispute.dispute_amount),
    chargeId: captureId,
    reason: dispute.reason,
    respondBy: dispute.seller_response_due_date,
  })
  const bringsBack = captureId && state === 'won' && stage !== 'INQUIRY'
  return bringsBack ? [statement, reversalOf(captureId, at, 'won')] : [statement]
}

type Interpretations = { references: readonly unknown[]; statements: (Statement | null)[] }

/** The interpretations of each type of event by its resource. PayPal docs, "Webhook event names". */
function interpreters(at: Timestamp): Partial<Record<string, z.ZodType<Interpretations>>> {
  const captured = Movement.transform((capture) => ({
    references: [capture.custom_id, capture.supplementary_data?.related_ids?.order_id, capture.id],
    statements: [captureState(capture, at)],
  }))
  const disputed = Dispute.transform((dispute) => {
    const disputed = dispute.disputed_transactions ?? []
    const references = disputed.flatMap((each) => [each.custom, each.seller_transaction_id])
    return { references, statements: disputeStatements(dispute, disputed[0]?.seller_transaction_id, at) }
  })
  return {
    // One event without a statement: it only causes the payment to be read.
    'CHECKOUT.ORDER.APPROVED': Order.transform((order) => ({
      references: referencesOf(order),
      statements: [null],
    })),
    'PAYMENT.CAPTURE.COMPLETED': captured,
    'PAYMENT.CAPTURE.PENDING': captured,
    'PAYMENT.CAPTURE.DECLINED': captured,
    'PAYMENT.CAPTURE.DENIED': captured,
    'PAYMENT.CAPTURE.REFUNDED': Movement.transform((refund) => ({
      references: [statements.exceptOwnRefund(refund.custom_id), captureIdIn(refund.links)],
      statements: [refundOf(refund, at)],
    })),
    'PAYMENT.CAPTURE.REVERSED': Movement.transform(({ id, amount, custom_id, links }) => {
      const captureId = captureIdIn(links) ?? id
      const references = [statements.exceptOwnRefund(custom_id), captureId]
      return { references, statements: [reversalOf(captureId, at, 'lost', amount)] }
    }),
    'CUSTOMER.DISPUTE.CREATED': disputed,
    'CUSTOMER.DISPUTE.UPDATED': disputed,
    'CUSTOMER.DISPUTE.RESOLVED': disputed,
  }
}

function interpret(rawBody: Buffer, now: Date): ProviderEvent[] {
  const envelope = Envelope.safeParse(events.jsonOf(rawBody))
  if (!envelope.success) return [events.unreadableEvent(rawBody, envelope.error)]
  const { id: eventId, event_type: type, create_time, resource } = envelope.data
  const interpretation = events
    .entryOf(interpreters(events.momentOf(create_time, now)), type)
    ?.safeParse(resource)
  if (!interpretation) return [events.eventOf({ eventId, type }, events.NO_PAYMENT)]
  if (!interpretation.success)
    return [{ ...events.unreadableEvent(rawBody, interpretation.error), eventId, type }]
  const { references, statements } = interpretation.data
  return statements.map((statement, index) =>
    events.eventOf(
      { eventId: index === 0 ? eventId : `${eventId}:${index}`, type },
      { references, statement },
    ),
  )
}

const referencesOf = ({ id, purchase_units }: Order) => [purchase_units?.[0]?.custom_id, id]
const paymentsIn = ({ purchase_units }: Order) => purchase_units?.[0]?.payments
const capturesIn = (order: Order): Movement[] => paymentsIn(order)?.captures ?? []

/** Returns the decimals that PayPal takes: none of these three currencies. PayPal docs, "Currency codes". */
const decimalsOf = (currency: Currency): number =>
  ['HUF', 'JPY', 'TWD'].includes(currency) ? 0 : exponentOf(currency)
const amountOf = (money: { amount: number; currency: Currency }) => ({
  currency_code: money.currency,
  value: amounts.decimalTextOf(money, decimalsOf(money.currency)),
})

/** Returns the headers of a signed callback; null where one is missing, or the certificate is not at PayPal's. */
function signatureOf({ headers }: CallbackRequest) {
  const fields = {
    auth_algo: headers['paypal-auth-algo'] ?? '',
    cert_url: headers['paypal-cert-url'] ?? '',
    transmission_id: headers['paypal-transmission-id'] ?? '',
    transmission_sig: headers['paypal-transmission-sig'] ?? '',
    transmission_time: headers['paypal-transmission-time'] ?? '',
  }
  return Object.values(fields).every(Boolean) && isPayPal(fields.cert_url) ? fields : null
}
type Signature = NonNullable<ReturnType<typeof signatureOf>>

/** Whether an address is PayPal's: certificates of any other are refused. */
function isPayPal(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' && (hostname === 'paypal.com' || hostname.endsWith('.paypal.com'))
}

const pathOf = ({ pathname, search }: URL): string => pathname + search

/** Returns where the certificate is downloaded: a stand-in has PayPal's path on its own host. */
const certificateAddress = (certificateUrl: string, apiBase: string): string =>
  isPayPal(apiBase) ? certificateUrl : apiBase + pathOf(new URL(certificateUrl))

/** Requests with a token. */
function apiOf({ http, now }: ProviderTools, { apiBase, clientId, clientSecret }: Config) {
  const authorized = withToken(http, now, async () => {
    const answer = await http({
      method: 'POST',
      url: `${apiBase}/v1/oauth2/token`,
      headers: { ...wire.basic(clientId, clientSecret), 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
      repeatable: true,
    })
    const { access_token: token, expires_in: seconds } = wire.readAnswer(Token, answer)
    return { token, seconds }
  })
  const api = wire.jsonApi(authorized, apiBase, {})
  return {
    ...api,
    authorized,
    order: async (orderId: string | undefined): Promise<Order | undefined> =>
      orderId === undefined
        ? undefined
        : wire.readFound(Order, await api.get(`/v2/checkout/orders/${encodeURIComponent(orderId)}`)),
    /** All disputes of a capture; none for an account that may not read disputes. */
    disputes: async (captureId: string): Promise<Dispute[]> => {
      const first = `/v1/customer/disputes?disputed_transaction_id=${encodeURIComponent(captureId)}&page_size=50`
      const found = await readWholeList(first, async (path) => {
        const answer = await api.get(path)
        if (answer.status === 403 || answer.status === 404) return NO_PAGE
        const { items, links } = wire.readAnswer(Disputes, answer)
        const next = links?.find(({ rel }) => rel === 'next')?.href
        return { items: items ?? [], next: next && URL.canParse(next) ? pathOf(new URL(next)) : undefined }
      })
      return Promise.all(found.map(detailed))
    },
  }

  /** Reads how a dispute ended, which a list does not say. */
  async function detailed(dispute: Dispute): Promise<Dispute> {
    if (dispute.status !== 'RESOLVED' || dispute.dispute_outcome) return dispute
    const path = `/v1/customer/disputes/${encodeURIComponent(dispute.dispute_id)}`
    return wire.readFound(Dispute, await api.get(path)) ?? dispute
  }
}
type Api = ReturnType<typeof apiOf>

/** Verifies callbacks by PayPal's certificate, and by PayPal's own call where the certificate cannot be had. */
function verifierOf(
  api: Api,
  { http, now }: ProviderTools,
  { apiBase, webhookId, certificateRoots }: Config,
) {
  const certificates = certificateStore({ http, now }, { name: 'paypal.com', roots: certificateRoots })
  /** Asks PayPal with the body byte for byte, as it was signed. Valid JSON cannot break out of its field. */
  const askPayPal = async (signature: Signature, rawBody: Buffer): Promise<boolean> => {
    if (events.jsonOf(rawBody) === undefined) return false
    const fields = JSON.stringify({ ...signature, webhook_id: webhookId })
    const answer = await api.authorized({
      method: 'POST',
      url: `${apiBase}/v1/notifications/verify-webhook-signature`,
      headers: { 'content-type': 'application/json' },
      body: `${fields.slice(0, -1)},"webhook_event":${rawBody.toString('utf8')}}`,
      repeatable: true,
    })
    return !wire.isRefusal(answer) && wire.readAnswer(Verification, answer).verification_status === 'SUCCESS'
  }
  const isSigned = async (
    request: CallbackRequest,
    countQuestion?: () => Promise<void>,
  ): Promise<boolean> => {
    const signature = signatureOf(request)
    if (!signature) return false
    const { transmission_id, transmission_time, transmission_sig, cert_url } = signature
    const url = certificateAddress(cert_url, apiBase)
    // Anyone can send a callback that names a new certificate: `countQuestion` throws beyond 20 downloads a minute.
    if (!certificates.keeps(url)) await countQuestion?.()
    const certificate = await certificates.at(url)
    if (certificate === undefined) return askPayPal(signature, request.rawBody)
    // PayPal may have changed its roots, which only its own call can tell. The roots of a stand-in are configured.
    if (certificate === 'untrusted')
      return certificateRoots === undefined && askPayPal(signature, request.rawBody)
    const signed = [transmission_id, transmission_time, webhookId, crc32(request.rawBody)].join('|')
    const bytes = signatureBytes(transmission_sig, 'base64')
    return bytes !== undefined && verifySignature('sha256', Buffer.from(signed), certificate.publicKey, bytes)
  }
  return async (request: CallbackRequest, countQuestion?: () => Promise<void>): Promise<Evidence> =>
    (await isSigned(request, countQuestion)) ? 'signed' : 'forged'
}

async function read(api: Api, order: Order, now: Date): Promise<PaymentReading> {
  const at = timestamp(now)
  const references = [...referencesOf(order), ...capturesIn(order).map((capture) => capture.id)]
  if (order.status === 'VOIDED')
    return statements.readingOf({ references, charges: [{ kind: 'cancelled', at }] })
  const interpretation = (capture: Movement) =>
    captureState(capture, events.momentOf(capture.update_time, now)) ?? []
  const paid = capturesIn(order).filter(isPaid)
  const disputes = await Promise.all(
    paid.map(async ({ id }) =>
      (await api.disputes(id)).flatMap((dispute) => disputeStatements(dispute, id, at)),
    ),
  )
  return statements.readingOf({
    references,
    // Once a capture is paid, others that were refused or wait say no more about the payment.
    charges: (paid.length > 0 ? paid : capturesIn(order)).flatMap(interpretation),
    refunds: (paymentsIn(order)?.refunds ?? []).map((refund) =>
      refundOf(refund, events.momentOf(refund.update_time, now)),
    ),
    disputes: disputes.flat(),
    fees: paid.flatMap(({ id, seller_receivable_breakdown: kept }) =>
      statements.feesOf(now, id, moneyOf(kept?.paypal_fee)),
    ),
    awaitsCapture: order.status === 'APPROVED',
  })
}

/**
 * PayPal's checkout: orders, captures, refunds and disputes as its published API describes them; `apiBase` of its
 * sandbox is `https://api-m.sandbox.paypal.com`.
 *
 * A callback is signed with RSA over id, time, webhook and checksum: tested against the official SDK. Its certificate
 * is downloaded once from PayPal and has to lead to the roots that Node.js ships and renews. A bundled certificate
 * would stop every callback when PayPal changes its own. If PayPal's certificate or those between it and its root are
 * missing, PayPal's verification call decides, at most 20 times a minute for an account. The simulator's callbacks can
 * be verified by the webhook id `WEBHOOK_ID` only. An order cannot be given an expiry, nor be cancelled: it ends 3 h
 * after its creation unless PayPal has set another time for the account. Closed here means that nothing was captured,
 * since without our capture nobody can pay.
 *
 * A dispute's money is as the callback or the API says; reading needs the permission for disputes. A reversed capture
 * is money taken, until a dispute about it is won: no document says how a reversal ends. The published API takes up to
 * 15 digits before the decimals, more than this service does.
 */
export const provider = defineProvider({
  config,
  open: (config, tools) => {
    const { now, publicUrl } = tools
    const api = apiOf(tools, config)
    return {
      currencies: CURRENCIES,
      countries: 'any',
      callbackMethods: ['POST'],
      acknowledgement: events.ACKNOWLEDGED,
      verify: verifierOf(api, tools, config),
      interpret: ({ rawBody }) => interpret(rawBody, now()),
      refuses: (order) =>
        amountOf(order).value === undefined ? 'must be a whole number of units' : undefined,
      start: async (order) => {
        const returnUrl = order.returnUrl ?? publicUrl
        const request = {
          intent: 'CAPTURE',
          purchase_units: [{ custom_id: order.id, invoice_id: order.id, amount: amountOf(order) }],
          payment_source: {
            paypal: { experience_context: { ...PAGE, return_url: returnUrl, cancel_url: returnUrl } },
          },
        }
        const answer = await api.post('/v2/checkout/orders', request, { 'paypal-request-id': order.id })
        return wire.refusalOf(answer, Reason) ?? wire.readAnswer(Started, answer)
      },
      close: async ({ references }) => {
        const [orderId] = references
        const order = await api.order(orderId)
        const isTaken = order && capturesIn(order).some((each) => isPaid(each) || each.status === 'PENDING')
        return orderId !== undefined && !isTaken
      },
      readPayment: async ({ references, payment }) => {
        // A payment's first reference is its order's id. The callback of an unknown payment may name only a capture: no order
        // is found by it.
        const [named] = references.filter((reference) => !PaymentId.safeParse(reference).success)
        const order = await api.order(payment?.references[0] ?? named)
        return order ? read(api, order, now()) : null
      },
      capture: async ({ references: [orderId = ''] }) => {
        const path = `/v2/checkout/orders/${encodeURIComponent(orderId)}/capture`
        const answer = await api.post(path, {}, { 'paypal-request-id': orderId })
        // An order that is captured already, or whose payer's bank refuses: the order itself says which.
        if (!wire.isRefusal(answer)) wire.requireSuccess(answer)
      },
      startRefund: async ({ id, key, payment, chargeId, amount, currency }) => {
        const captureId = chargeId ?? (await paidCaptureOf(payment.references[0]))
        if (!captureId) return wire.REFUSED
        const path = `/v2/payments/captures/${encodeURIComponent(captureId)}/refund`
        const request = { amount: amountOf({ amount, currency }), custom_id: id }
        const answer = await api.post(path, request, { 'paypal-request-id': key }, wire.NO_RETRY)
        if (wire.isRefusal(answer)) return wire.REFUSED
        const made = wire.readAnswer(MadeRefund, answer)
        return { state: refundState(made.status), providerRefundId: made.id }
      },
    }

    async function paidCaptureOf(orderId: string | undefined): Promise<string | undefined> {
      const order = await api.order(orderId)
      return order && capturesIn(order).find(isPaid)?.id
    }
  },
})

/** Without these the page asks where to ship to, and lets the payer expect one more step here. */
const PAGE = { shipping_preference: 'NO_SHIPPING', user_action: 'PAY_NOW' }

/** PayPal docs: "Currency codes". */
const CURRENCIES = amounts.currencies(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD',
)
