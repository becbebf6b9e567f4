import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { exponentOf } from '#lib/kernel/money'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import type { CallbackRequest, KnownPayment, ProviderEvent } from '../provider/provider.ts'

const config = z.object({
  keyId: settings.secret,
  keySecret: settings.secret,
  webhookSecrets: settings.secrets,
  apiBase: settings.apiBase('https://api.razorpay.com'),
})

const text = z.string().nullish()
const money = { amount: z.number().nullish(), currency: text }
/** An empty list when there are none. */
const Notes = z.object({ payment_id: z.string(), refund_id: z.string().optional() }).nullish().catch(null)

const Payment = z.object({
  id: text,
  ...money,
  order_id: text,
  notes: Notes,
  error_code: text,
  error_reason: text,
  error_description: text,
  amount_refunded: z.number().nullish(),
})
const Link = z.object({ id: text, reference_id: text, order_id: text, notes: Notes })
const Order = z.object({ id: text, receipt: text, notes: Notes })
const Refund = z.object({ id: z.string().min(1), ...money, payment_id: text, status: text, notes: Notes })
const Dispute = z.object({
  id: z.string().min(1),
  payment_id: text,
  status: text,
  amount_deducted: z.number().nullish(),
})
const entity = <Schema extends z.ZodType>(schema: Schema) => z.object({ entity: schema }).nullish()
const Payload = z.object({
  payment: entity(Payment),
  payment_link: entity(Link),
  order: entity(Order),
  refund: entity(Refund),
  dispute: entity(Dispute),
})
type Payload = z.infer<typeof Payload>

const Callback = z.object({ event: z.string(), created_at: z.number().nullish(), payload: z.unknown() })

const Started = z.object({ id: z.string().min(1), short_url: z.url(), order_id: text })
const Links = z.object({ payment_links: z.array(Started) })
const AskedLink = Link.extend({
  id: z.string(),
  status: z.string(),
  amount_paid: z.number().nullish(),
  currency: text,
  payments: z.array(z.object({ payment_id: text })).nullish(),
})

type Tell = events.Tell<Payload>

const succeeded: Tell = ({ payment }, at) => ({
  kind: 'succeeded',
  at,
  money: amounts.moneyOf(payment?.entity.amount, payment?.entity.currency),
})

/** The buyer may try again on the same page. */
const failed: Tell = ({ payment }, at) => {
  const { error_reason, error_code, error_description: message } = payment?.entity ?? {}
  return statements.failed(at, { final: false, code: error_reason ?? error_code, message })
}

const REFUND_STATES: Partial<Record<string, 'succeeded' | 'failed'>> = {
  processed: 'succeeded',
  failed: 'failed',
}

const refundOf = (
  { id, amount, currency, status, notes }: z.infer<typeof Refund>,
  at: Timestamp,
): Statement =>
  statements.refundOf(at, {
    id,
    money: amounts.moneyOf(amount, currency),
    state: events.entryOf(REFUND_STATES, status) ?? 'pending',
    ours: notes?.refund_id,
  })
const refund: Tell = ({ refund: told }, at) => (told ? refundOf(told.entity, at) : null)

/** One that is closed took our money, or it did not. */
const dispute: Tell = ({ dispute: told }, at) => {
  if (!told) return null
  const { id, status, amount_deducted } = told.entity
  const isLost = status === 'lost' || (status === 'closed' && (amount_deducted ?? 0) > 0)
  const isOver = isLost || status === 'won' || status === 'closed'
  return { kind: 'dispute', at, disputeId: id, state: isLost ? 'lost' : isOver ? 'won' : 'open' }
}

/** As documented; what a closed dispute means is general knowledge. Any other concerns no payment. */
const TELLS: Partial<Record<string, Tell>> = {
  // Authorised is not paid: the capture is.
  'payment.authorized': (_, at) => ({ kind: 'processing', at }),
  'payment.captured': succeeded,
  'order.paid': succeeded,
  'payment_link.paid': succeeded,
  'payment_link.cancelled': (_, at) => ({ kind: 'cancelled', at }),
  'payment_link.expired': (_, at) => ({ kind: 'expired', at }),
  'payment.failed': failed,
  'refund.created': refund,
  'refund.processed': refund,
  'refund.failed': refund,
  'refund.speed_changed': refund,
  'payment.dispute.created': dispute,
  'payment.dispute.under_review': dispute,
  'payment.dispute.action_required': dispute,
  'payment.dispute.won': dispute,
  'payment.dispute.lost': dispute,
  'payment.dispute.closed': dispute,
}

/** The id of a try that failed names no payment. */
const referencesOf = ({ payment, payment_link, order, refund, dispute }: Payload, type: string) => [
  payment_link?.entity.reference_id ?? order?.entity.receipt,
  [payment_link, payment, order, refund].find((part) => part?.entity.notes)?.entity.notes?.payment_id,
  payment_link?.entity.id,
  payment?.entity.order_id ?? order?.entity.id,
  type === 'payment.failed'
    ? null
    : (payment?.entity.id ?? refund?.entity.payment_id ?? dispute?.entity.payment_id),
]

function translate({ rawBody, headers }: CallbackRequest, now: Date): ProviderEvent {
  const callback = Callback.safeParse(events.jsonOf(rawBody))
  if (!callback.success) return events.unreadable(rawBody, callback.error)
  const { event: type, created_at, payload } = callback.data
  const eventId = headers[EVENT_ID] || signatures.sha256(rawBody)
  const identity = { eventId, type, at: events.momentOf(created_at, now) }
  return events.tabled(TELLS, identity, { schema: Payload, value: payload, references: referencesOf })
}

const EVENT_ID = 'x-razorpay-event-id'

/** The header that Razorpay sends with these bytes. */
export const razorpaySignature = (secret: string, rawBody: Buffer): string =>
  signatures.hmac('sha256', secret, [rawBody], 'hex')

const paymentOf = ({ id, references }: KnownPayment): string | undefined =>
  references.find((reference) => reference.startsWith('pay_') && reference !== id)

const LINK_STATES: Partial<Record<string, 'expired' | 'cancelled'>> = {
  expired: 'expired',
  cancelled: 'cancelled',
}

function asked(link: z.infer<typeof AskedLink>, now: Date): ProviderEvent {
  const { id, status, amount_paid, currency, payments, reference_id, order_id } = link
  const at = timestamp(now)
  const ended = events.entryOf(LINK_STATES, status)
  const paid: Statement = { kind: 'succeeded', at, money: amounts.moneyOf(amount_paid, currency) }
  const statement = status === 'paid' ? paid : ended ? { kind: ended, at } : null
  const references = [reference_id, id, order_id, ...(payments ?? []).map(({ payment_id }) => payment_id)]
  const eventId = [id, status, amount_paid, currency].join(':')
  return events.eventOf({ eventId, type: `payment_link ${status}` }, { references, statement })
}

/**
 * Razorpay's payment links. Callbacks carry `X-Razorpay-Signature`, HMAC-SHA256 of the body, without a time: run
 * against the official SDK. The event's id is in a header that the signature does not cover, as documented; it
 * only tells copies apart. Requests to the API are as documented, their answers' states general knowledge. A
 * link has no idempotency key: a reference that is taken has its link looked up.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ keyId, keySecret, webhookSecrets, apiBase }, { http, now }) => {
    const api = wire.jsonApi(http, `${apiBase}/v1`, wire.basic(keyId, keySecret))
    const linkOf = async (reference: string) => {
      const answer = await api.get(`/payment_links?${new URLSearchParams({ reference_id: reference })}`)
      return wire.answered(Links, answer).payment_links[0]
    }
    return {
      currencies: 'any',
      countries: ['IN'],
      methods: ['POST'],
      readsHeaders: [EVENT_ID],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const signature = headers['x-razorpay-signature'] ?? ''
        return webhookSecrets.some((secret) =>
          signatures.sameText(signature, razorpaySignature(secret, rawBody)),
        )
      },
      translate: (request) => [translate(request, now())],
      refuses: ({ amount, currency }) =>
        exponentOf(currency) === 3 && amount % 10 !== 0 ? 'must be a multiple of 10' : undefined,
      start: async ({ id: reference, amount, currency, returnUrl }) => {
        const answer = await api.post('/payment_links', {
          amount,
          currency,
          reference_id: reference,
          notes: { payment_id: reference },
          ...(returnUrl && { callback_url: returnUrl, callback_method: 'get' }),
        })
        const known = answer.status === 400 ? await linkOf(reference) : undefined
        const { id, short_url, order_id } = known ?? wire.answered(Started, answer)
        return { url: short_url, expiresAt: null, references: [id, ...(order_id ? [order_id] : [])] }
      },
      ask: async ({ references, payment }) => {
        const link = (payment?.references ?? references).find((reference) => reference.startsWith('plink_'))
        if (!link) return []
        const answer = await api.get(`/payment_links/${encodeURIComponent(link)}`)
        const asking = wire.plainIn(AskedLink, answer)
        return asking ? [asked(asking, now())] : []
      },
      refund: async ({ id, payment, amount }) => {
        const charge = paymentOf(payment)
        if (!charge) return wire.REFUSED
        const answer = await api.post(
          `/payments/${charge}/refund`,
          { amount, notes: { payment_id: payment.id, refund_id: id } },
          { 'x-refund-idempotency': id },
        )
        if (wire.isRefusal(answer)) return wire.REFUSED
        const made = wire.answered(Refund, answer)
        return { state: events.entryOf(REFUND_STATES, made.status) ?? 'pending', providerRefundId: made.id }
      },
      cancel: async ({ references }) => {
        const link = references.find((reference) => reference.startsWith('plink_'))
        if (link) await api.post(`/payment_links/${link}/cancel`, {}, {})
      },
    }
  },
})
