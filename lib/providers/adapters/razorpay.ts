import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import { exponentOf } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import { pageAt, readWholeList } from '../kit/lists.ts'
import * as statements from '../kit/statements.ts'
import { type CallbackRequest, defineProvider, type ProviderEvent, type ProviderHttp } from '../provider.ts'

const config = z.object({
  keyId: settings.identifier,
  keySecret: settings.secret,
  webhookSecrets: settings.secrets,
  apiBase: settings.apiBase('https://api.razorpay.com'),
})

const text = z.string().nullish()
const money = { amount: z.number().nullish(), currency: text }
/** Razorpay sends an empty list for no notes: the list is read as null. */
const Notes = z.object({ payment_id: z.string(), refund_id: z.string().optional() }).nullish().catch(null)

const Payment = z.object({
  id: text,
  ...money,
  order_id: text,
  notes: Notes,
  error_code: text,
  error_reason: text,
  error_description: text,
})
const Link = z.object({ id: text, reference_id: text, order_id: text, notes: Notes })
const Order = z.object({ id: text, receipt: text, notes: Notes })
const Refund = z.object({
  id: z.string().min(1),
  ...money,
  payment_id: text,
  status: text,
  notes: Notes,
  created_at: z.number().nullish(),
})
type Refund = z.infer<typeof Refund>
const Dispute = z.object({
  id: z.string().min(1),
  ...money,
  payment_id: text,
  status: text,
  phase: text,
  reason_code: text,
  reason_description: text,
  respond_by: z.number().nullish(),
  amount_deducted: z.number().nullish(),
})
type Dispute = z.infer<typeof Dispute>
const entity = <Schema extends z.ZodType>(schema: Schema) => z.object({ entity: schema }).nullish()
const Payload = z
  .object({
    payment: entity(Payment),
    payment_link: entity(Link),
    order: entity(Order),
    refund: entity(Refund),
    dispute: entity(Dispute),
  })
  .transform(({ payment, payment_link, order, refund, dispute }) => ({
    payment: payment?.entity,
    link: payment_link?.entity,
    order: order?.entity,
    refund: refund?.entity,
    dispute: dispute?.entity,
  }))
type Payload = z.infer<typeof Payload>

const Callback = z.object({ event: z.string(), created_at: z.number().nullish(), payload: z.unknown() })

/** A try to pay as its link lists it: only captured ones by Razorpay's documentation, `failed` ones too by its SDK's types. */
const Attempt = z.object({
  payment_id: z.string().min(1),
  amount: z.number().nullish(),
  status: text,
  created_at: z.number().nullish(),
})
type Attempt = z.infer<typeof Attempt> & { fee?: number | null | undefined }
/** A try to pay as its order lists it, including authorised ones, with Razorpay's fee. */
const OrderPayments = z.object({
  items: z.array(
    z
      .object({
        id: z.string().min(1),
        ...money,
        status: text,
        fee: z.number().nullish(),
        created_at: z.number().nullish(),
      })
      .transform(({ id, ...payment }) => ({ ...payment, payment_id: id })),
  ),
})
const ReadLink = Link.extend({
  id: z.string().min(1),
  status: text,
  expire_by: z.number().nullish(),
  amount_paid: z.number().nullish(),
  currency: text,
  payments: z.array(Attempt).nullish(),
})
type ReadLink = z.infer<typeof ReadLink>
const Started = ReadLink.extend({ short_url: z.url() })
const Links = z.object({ payment_links: z.array(Started) })
const Refunds = z.object({ items: z.array(Refund) })
const Disputes = z.object({ items: z.array(Dispute) })
const Reason = z
  .object({ error: z.object({ code: text, description: text }) })
  .transform(({ error }) => ({ code: error.code, message: error.description }))

type Interpreter = events.Interpreter<Payload>

/** A charge is named by its payment; a link or an order alone only points at it. */
const succeeded: Interpreter = ({ payment }, at) =>
  payment?.id
    ? statements.chargeOf(at, {
        id: payment.id,
        money: amounts.moneyOf(payment.amount, payment.currency),
      })
    : null

/** The buyer may try again on the same page. */
const failed: Interpreter = ({ payment }, at) => {
  const { error_reason, error_code, error_description } = payment ?? {}
  return statements.failureOf(at, {
    final: false,
    code: error_reason ?? error_code,
    message: error_description,
  })
}

const REFUND_STATES: Partial<Record<string, 'succeeded' | 'failed'>> = {
  processed: 'succeeded',
  failed: 'failed',
}

const refundState = (status: string | null | undefined) => events.entryOf(REFUND_STATES, status) ?? 'pending'

const refundOf = (refund: Refund, at: Timestamp): StatementOf<'refund'> =>
  statements.refundOf(at, {
    id: refund.id,
    money: amounts.moneyOf(refund.amount, refund.currency),
    state: refundState(refund.status),
    chargeId: refund.payment_id,
    ours: refund.notes?.refund_id,
  })
const refunded: Interpreter = ({ refund }, at) => (refund ? refundOf(refund, at) : null)

/**
 * The phases `retrieval` (a bank's question) and `fraud` (a suspicion) take no money. A `closed` one may have lost
 * money.
 */
function disputeState({ status, phase, amount_deducted }: Dispute): StatementOf<'dispute'>['state'] {
  if (status === 'lost' || (status === 'closed' && (amount_deducted ?? 0) > 0)) return 'lost'
  if (status === 'won' || status === 'closed') return 'won'
  return phase === 'fraud' || phase === 'retrieval' ? 'inquiry' : 'open'
}

function disputeOf(dispute: Dispute, at: Timestamp): StatementOf<'dispute'> {
  const state = disputeState(dispute)
  const taken = state === 'lost' ? dispute.amount_deducted : null
  return statements.disputeOf(at, {
    id: dispute.id,
    state,
    money: amounts.moneyOf(taken || dispute.amount, dispute.currency),
    chargeId: dispute.payment_id,
    reason: dispute.reason_description ?? dispute.reason_code,
    respondBy: dispute.respond_by,
  })
}
const disputed: Interpreter = ({ dispute }, at) => (dispute ? disputeOf(dispute, at) : null)

/** As documented. Any other type is about no payment. */
const INTERPRETERS: Partial<Record<string, Interpreter>> = {
  // An authorisation brings no money yet: the capture does.
  'payment.authorized': (_, at) => ({ kind: 'processing', at }),
  'payment.captured': succeeded,
  'order.paid': succeeded,
  'payment_link.paid': succeeded,
  'payment_link.cancelled': (_, at) => ({ kind: 'cancelled', at }),
  'payment_link.expired': (_, at) => ({ kind: 'expired', at }),
  'payment.failed': failed,
  'refund.created': refunded,
  'refund.processed': refunded,
  'refund.failed': refunded,
  'refund.speed_changed': refunded,
  'payment.dispute.created': disputed,
  'payment.dispute.under_review': disputed,
  'payment.dispute.action_required': disputed,
  'payment.dispute.won': disputed,
  'payment.dispute.lost': disputed,
  'payment.dispute.closed': disputed,
}

/** The id of a try that failed names no payment. */
const referencesOf = ({ payment, link, order, refund, dispute }: Payload, type: string) => [
  link?.reference_id ?? order?.receipt,
  [link, payment, order, refund].find((part) => part?.notes)?.notes?.payment_id,
  link?.id,
  payment?.order_id ?? order?.id,
  type === 'payment.failed' ? null : (payment?.id ?? refund?.payment_id ?? dispute?.payment_id),
]

function interpret({ rawBody, headers }: CallbackRequest, now: Date): ProviderEvent {
  const callback = Callback.safeParse(events.jsonOf(rawBody))
  if (!callback.success) return events.unreadableEvent(rawBody, callback.error)
  const { event: type, created_at, payload } = callback.data
  const eventId = headers[EVENT_ID] || signatures.sha256(rawBody)
  const identity = { eventId, type, at: events.momentOf(created_at, now) }
  return events.interpretByType(INTERPRETERS, identity, {
    schema: Payload,
    value: payload,
    references: referencesOf,
  })
}

const EVENT_ID = 'x-razorpay-event-id'

/** Returns the header that Razorpay sends with these bytes. */
export const razorpaySignature = (secret: string, rawBody: Buffer): string =>
  signatures.hmac('sha256', secret, [rawBody], 'hex')

const isLink = (reference: string): boolean => reference.startsWith('plink_')
/** Our own payment ids begin with `pay_` too. */
const isCharge = (reference: string): boolean =>
  reference.startsWith('pay_') && !PaymentId.safeParse(reference).success

const PAGE_SIZE = 100

/** Returns a page of a list after `skip` items: the next page skips as many items more as a page holds. */
const pageAfter = <Item>(items: readonly Item[], skip: number) => pageAt(items, skip, PAGE_SIZE, PAGE_SIZE)

const apiOf = (http: ProviderHttp, apiBase: string, keyId: string, keySecret: string) => {
  const api = wire.jsonApi(http, `${apiBase}/v1`, wire.basic(keyId, keySecret))
  return {
    ...api,
    /** The link of an id. An unknown id is a 400. */
    link: async (id: string): Promise<ReadLink | undefined> => {
      const answer = await api.get(`/payment_links/${encodeURIComponent(id)}`)
      return wire.isRefusal(answer) ? undefined : wire.readAnswer(ReadLink, answer)
    },
    /** The link that was made for a payment id of ours. */
    linkOf: async (reference: string) => {
      const answer = await api.get(`/payment_links?${new URLSearchParams({ reference_id: reference })}`)
      return wire.readFound(Links, answer)?.payment_links[0]
    },
    /** Returns every try to pay, including authorised ones. The order's entry of a try replaces the link's: it has the fee. */
    attempts: async ({ order_id, payments }: ReadLink): Promise<Attempt[]> => {
      const answer = order_id ? await api.get(`/orders/${encodeURIComponent(order_id)}/payments`) : undefined
      const ordered = !answer || wire.isRefusal(answer) ? [] : wire.readAnswer(OrderPayments, answer).items
      const attempts = [...(payments ?? []), ...ordered]
      return [...new Map(attempts.map((attempt) => [attempt.payment_id, attempt])).values()]
    },
    refunds: (paymentId: string): Promise<Refund[]> =>
      readWholeList(0, async (skip) => {
        const path = `/payments/${encodeURIComponent(paymentId)}/refunds?count=${PAGE_SIZE}&skip=${skip}`
        return pageAfter(wire.readAnswer(Refunds, await api.get(path)).items, skip)
      }),
    /**
     * Returns the disputes of these payments, found among all disputes of the account since the first payment; empty
     * for a key without access to disputes.
     */
    disputes: async (paid: readonly Attempt[]): Promise<Dispute[]> => {
      const paymentIds = paid.map(({ payment_id }) => payment_id)
      // 0, and so all disputes, where the time of a payment is not known.
      const since = Math.min(...paid.map(({ created_at }) => created_at ?? 0))
      const found = await readWholeList(0, async (skip) => {
        const answer = await api.get(`/disputes?count=${PAGE_SIZE}&skip=${skip}&from=${since}`)
        const isHidden = wire.isRefusal(answer) || answer.status === 403
        return pageAfter(isHidden ? [] : wire.readAnswer(Disputes, answer).items, skip)
      })
      return found.filter(({ payment_id }) => paymentIds.includes(payment_id ?? ''))
    },
  }
}
type Api = ReturnType<typeof apiOf>

const ENDED: Partial<Record<string, 'expired' | 'cancelled'>> = { expired: 'expired', cancelled: 'cancelled' }

const isAuthorised = ({ status }: Attempt): boolean => status === 'authorized'
/** Whether a try was captured, as one without a status was. */
const isPaid = ({ status }: Attempt): boolean => !['failed', 'created', 'authorized'].includes(status ?? '')

async function read(api: Api, link: ReadLink, now: Date): Promise<PaymentReading> {
  const { id, status, reference_id, order_id, amount_paid, currency } = link
  const attempts = await api.attempts(link)
  const paid = attempts.filter(isPaid)
  const ids = paid.map(({ payment_id }) => payment_id)
  const references = [reference_id, id, order_id, ...ids]
  const at = timestamp(now)
  if (paid.length === 0) {
    const authorised = attempts.filter(isAuthorised)
    const kind = authorised.length === 0 ? events.entryOf(ENDED, status) : undefined
    const underWay = authorised.map(({ payment_id }) => statements.processingOf(at, payment_id))
    const charges = kind ? [{ kind, at }] : underWay
    return statements.readingOf({ references, charges, awaitsCapture: authorised.length > 0 })
  }
  const [refunds, disputes] = await Promise.all([Promise.all(ids.map(api.refunds)), api.disputes(paid)])
  return statements.readingOf({
    references,
    charges: paid.map(({ payment_id, amount, created_at }) =>
      statements.chargeOf(events.momentOf(created_at, now), {
        id: payment_id,
        money: amounts.moneyOf(amount ?? amount_paid, currency),
      }),
    ),
    refunds: refunds.flat().map((each) => refundOf(each, events.momentOf(each.created_at, now))),
    disputes: disputes.map((each) => disputeOf(each, at)),
    fees: paid.flatMap(({ payment_id, fee }) =>
      statements.feesOf(now, payment_id, fee ? amounts.moneyOf(fee, currency) : null),
    ),
  })
}

/** Captures the first try that is authorised, for accounts that do not capture by themselves. */
async function capture(api: Api, link: ReadLink): Promise<void> {
  const [first] = (await api.attempts(link)).filter(isAuthorised)
  if (!first) return
  const path = `/payments/${encodeURIComponent(first.payment_id)}/capture`
  const answer = await api.post(
    path,
    { amount: first.amount, currency: link.currency },
    undefined,
    wire.RETRY,
  )
  // Razorpay refuses to capture a payment that was captured meanwhile.
  const isCaptured = wire.isRefusal(answer) && !(await api.attempts(link)).some(isAuthorised)
  if (!isCaptured) wire.requireSuccess(answer)
}

/** Razorpay docs, "Create an Order": "The amount must be at least INR 1.00", and the same of the other two. */
const LIMITS = amounts.limitsOf({ INR: ['1'], MYR: ['1'], USD: ['1'] })

const startedOf = ({ id, short_url, order_id, expire_by }: z.infer<typeof Started>) => ({
  url: short_url,
  expiresAt: events.namedMoment(expire_by),
  references: [id, ...(order_id ? [order_id] : [])],
})

/**
 * Razorpay's payment links. Callbacks carry `X-Razorpay-Signature`, HMAC-SHA256 of the body, without a time: tested
 * against the official SDK. The event's id is in a header outside the signature, as documented; it only tells copies
 * apart. Links, their expiry (at least 15 minutes ahead) and cancelling them are as in Razorpay's published
 * documentation and its SDK. So are refunds and disputes, with the `count`, `skip` and `from` of their lists. A link
 * has no idempotency key: if the reference was used before, the earlier link is returned.
 */
export const provider = defineProvider({
  config,
  open: ({ keyId, keySecret, webhookSecrets, apiBase }, { http, now }) => {
    const api = apiOf(http, apiBase, keyId, keySecret)
    return {
      currencies: 'any',
      limits: LIMITS,
      countries: ['IN'],
      callbackMethods: ['POST'],
      storedHeaders: [EVENT_ID],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) =>
        signatures.isMadeByAny(headers['x-razorpay-signature'], webhookSecrets, (secret) =>
          razorpaySignature(secret, rawBody),
        )
          ? 'signed'
          : 'forged',
      interpret: (request) => [interpret(request, now())],
      // A currency of three decimals is taken with two: the last digit is 0.
      refuses: ({ amount, currency }) =>
        exponentOf(currency) === 3 && amount % 10 !== 0 ? 'must be a multiple of 10' : undefined,
      start: async ({ id: reference, amount, currency, returnUrl, expiresAt }) => {
        const answer = await api.post('/payment_links', {
          amount,
          currency,
          reference_id: reference,
          notes: { payment_id: reference },
          expire_by: Math.floor(Date.parse(expiresAt) / 1000),
          ...(returnUrl && { callback_url: returnUrl, callback_method: 'get' }),
        })
        const known = answer.status === 400 ? await api.linkOf(reference) : undefined
        if (known) return startedOf(known)
        return wire.refusalOf(answer, Reason) ?? startedOf(wire.readAnswer(Started, answer))
      },
      close: async ({ references }) => {
        const id = references.find(isLink)
        if (!id) return false
        const answer = await api.post(
          `/payment_links/${encodeURIComponent(id)}/cancel`,
          {},
          undefined,
          wire.RETRY,
        )
        // An ended or paid link refuses.
        const link = wire.isRefusal(answer) ? await api.link(id) : wire.readAnswer(ReadLink, answer)
        return events.entryOf(ENDED, link?.status) !== undefined
      },
      readPayment: async ({ references }) => {
        const id = references.find(isLink)
        const link = id && (await api.link(id))
        return link ? read(api, link, now()) : null
      },
      capture: async ({ references }) => {
        const id = references.find(isLink)
        const link = id && (await api.link(id))
        if (link) await capture(api, link)
      },
      startRefund: async ({ id, key, payment, chargeId, amount }) => {
        const charge = chargeId ?? payment.references.find(isCharge)
        if (!charge) return wire.REFUSED
        const answer = await api.post(
          `/payments/${encodeURIComponent(charge)}/refund`,
          { amount, notes: { payment_id: payment.id, refund_id: id } },
          { 'x-refund-idempotency': key },
          wire.NO_RETRY,
        )
        if (wire.isRefusal(answer)) return wire.REFUSED
        const made = wire.readAnswer(Refund, answer)
        return { state: refundState(made.status), providerRefundId: made.id }
      },
    }
  },
})
