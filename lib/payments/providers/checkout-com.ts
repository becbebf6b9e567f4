import * as z from 'zod'
import { timestamp } from '#lib/kernel/clock'
import { type Currency, exponentOf, type Money } from '#lib/kernel/money'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import type { KnownPayment, ProviderEvent } from '../provider/provider.ts'

const config = z.object({
  apiKey: settings.secret,
  processingChannelId: settings.secret,
  webhookSecrets: settings.secrets,
  /** It asks for the payer's country, which we do not know. */
  billingCountry: z.string().length(2).default('GB'),
  apiBase: settings.apiBase('https://api.checkout.com'),
})

const Envelope = z.object({
  id: z.string().min(1),
  type: z.string(),
  created_on: z.string().nullish(),
  data: z.unknown(),
})

/** What an event is about: a payment, an action on it or a dispute, by the fields we read. */
const Subject = z.object({
  id: z.string().min(1).max(255),
  action_id: z.string().nullish(),
  payment_id: z.string().nullish(),
  reference: z.string().nullish(),
  payment_reference: z.string().nullish(),
  metadata: z.object({ payment_id: z.string() }).nullish().catch(null),
  amount: z.number().nullish(),
  currency: z.string().nullish(),
  response_code: z.string().nullish(),
  response_summary: z.string().nullish(),
})
type Subject = z.infer<typeof Subject>

const Hosted = z.object({ id: z.string(), status: z.string(), payment_id: z.string().nullish() })
const Charge = Subject.extend({
  status: z.string(),
  balances: z.object({ total_refunded: z.number() }).nullish(),
})
const Started = z.object({
  id: z.string().min(1),
  _links: z.object({ redirect: z.object({ href: z.url() }) }),
})
const Refunded = z.object({ action_id: z.string().min(1) })

type Tell = events.Tell<Subject>

const money = ({ amount, currency }: Subject) => amounts.moneyOf(amount, currency, exponentAt)

const succeeded: Tell = (subject, at) => ({ kind: 'succeeded', at, money: money(subject) })
const processing: Tell = (_, at) => ({ kind: 'processing', at })
const expired: Tell = (_, at) => ({ kind: 'expired', at })
const cancelled: Tell = (_, at) => ({ kind: 'cancelled', at })

const failed: Tell = ({ response_code: code, response_summary: message }, at) =>
  statements.failed(at, { code: code || 'payment_declined', message: message || 'The payment was declined.' })

const refund =
  (state: 'pending' | 'succeeded' | 'failed'): Tell =>
  (subject, at) =>
    statements.refundOf(at, {
      id: subject.action_id ?? null,
      money: money(subject),
      state,
      ours: subject.reference,
    })

const dispute =
  (state: 'open' | 'won' | 'lost'): Tell =>
  ({ id }, at) => ({ kind: 'dispute', at, disputeId: id, state })

/** As documented; how a dispute ends that was resolved, cancelled or left to expire is general knowledge. */
const TELLS: Partial<Record<string, Tell>> = {
  // Authorised is not paid: the capture is.
  payment_approved: processing,
  payment_captured: succeeded,
  payment_declined: failed,
  payment_capture_declined: failed,
  payment_expired: expired,
  payment_canceled: cancelled,
  payment_voided: cancelled,
  payment_refund_pending: refund('pending'),
  payment_refunded: refund('succeeded'),
  payment_refund_declined: refund('failed'),
  dispute_received: dispute('open'),
  dispute_evidence_required: dispute('open'),
  dispute_evidence_submitted: dispute('open'),
  dispute_won: dispute('won'),
  dispute_resolved: dispute('won'),
  dispute_canceled: dispute('won'),
  dispute_lost: dispute('lost'),
  dispute_accepted: dispute('lost'),
  dispute_expired: dispute('lost'),
}

/** A dispute's own id names no payment, nor does that of a try that was declined. */
function referencesOf(subject: Subject, type: string) {
  const { id, payment_id, metadata, reference, payment_reference } = subject
  if (type.startsWith('dispute_')) return [payment_reference, payment_id]
  return [metadata?.payment_id, statements.paymentsOwn(reference), type === 'payment_declined' ? null : id]
}

function translate(rawBody: Buffer, now: Date): ProviderEvent {
  const envelope = Envelope.safeParse(events.jsonOf(rawBody))
  if (!envelope.success) return events.unreadable(rawBody, envelope.error)
  const { id: eventId, type, created_on, data: value } = envelope.data
  const identity = { eventId, type, at: events.momentOf(created_on, now) }
  return events.tabled(TELLS, identity, { schema: Subject, value, references: referencesOf })
}

/** A payment's states as the API names them; general knowledge. Money that was given back had come before. */
const STATES: Partial<Record<string, Tell>> = {
  Authorized: processing,
  Captured: succeeded,
  'Partially Refunded': succeeded,
  Refunded: succeeded,
  Declined: failed,
  Canceled: cancelled,
  Voided: cancelled,
  Expired: expired,
}

function asked(charge: z.infer<typeof Charge>, now: Date): ProviderEvent[] {
  const { id, status, amount, currency, balances } = charge
  const at = timestamp(now)
  const references = [charge.reference, charge.metadata?.payment_id, id]
  const statement = events.entryOf(STATES, status)?.(charge, at) ?? null
  const event = events.eventOf(
    {
      eventId: [id, statement?.kind, amount, currency].join(':'),
      type: `payment ${statement?.kind ?? 'open'}`,
    },
    { references, statement },
  )
  const total = balances?.total_refunded ?? 0
  if (total === 0) return [event]
  const refunded = events.eventOf(
    { eventId: [id, 'refunded', total, currency].join(':'), type: 'payment refunded' },
    { references, statement: { kind: 'refunded_total', at, money: money({ ...charge, amount: total }) } },
  )
  return [event, refunded]
}

/** Where it counts otherwise than ISO 4217: as documented, pesos of Chile in hundredths, the last two digits 00. */
const exponentAt = (currency: Currency): number => (currency === 'CLP' ? 2 : exponentOf(currency))
const unitsOf = (money: Money) => amounts.unitsOf(money, exponentAt)

/** The header that Checkout.com sends with these bytes. */
export const checkoutComSignature = (secret: string, rawBody: Buffer): string =>
  signatures.hmac('sha256', secret, [rawBody], 'hex')

const paymentOf = ({ id, references }: KnownPayment): string | undefined =>
  references.find((reference) => reference.startsWith('pay_') && reference !== id)

/**
 * Checkout.com's Hosted Payments Page. Callbacks carry `Cko-Signature`, HMAC-SHA256 of the body, without a time:
 * as documented. Starting and refunding were read in the official SDK; the states that the API answers are
 * general knowledge: try them in the sandbox first. A page has no idempotency key of its own: should an answer
 * be lost, a second page is made for the same reference, and the payer is shown one.
 */
export const provider = defineFirstProvider({
  config,
  open: (
    { apiKey, processingChannelId, webhookSecrets, billingCountry, apiBase },
    { http, now, publicUrl },
  ) => {
    const api = wire.jsonApi(http, apiBase, { authorization: `Bearer ${apiKey}` })
    return {
      currencies: 'any',
      countries: 'any',
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const signature = headers['cko-signature'] ?? ''
        return webhookSecrets.some((secret) =>
          signatures.sameText(signature, checkoutComSignature(secret, rawBody)),
        )
      },
      translate: ({ rawBody }) => [translate(rawBody, now())],
      refuses: (order) => {
        const units = unitsOf(order)
        if (units === undefined || units > 999_999_999) return 'must have at most nine digits'
        return exponentAt(order.currency) === 3 && units % 10 !== 0 ? 'must be a multiple of 10' : undefined
      },
      start: async (order) => {
        const returnUrl = order.returnUrl ?? publicUrl
        const answer = await api.post('/hosted-payments', {
          amount: unitsOf(order),
          currency: order.currency,
          reference: order.id,
          metadata: { payment_id: order.id },
          billing: { address: { country: billingCountry } },
          success_url: returnUrl,
          failure_url: returnUrl,
          cancel_url: returnUrl,
          processing_channel_id: processingChannelId,
        })
        const { id, _links } = wire.answered(Started, answer)
        return { url: _links.redirect.href, expiresAt: null, references: [id] }
      },
      ask: async ({ references, payment }) => {
        const page = (payment?.references ?? references).find((reference) => reference.startsWith('hpp_'))
        const hosted = page
          ? wire.plainIn(Hosted, await api.get(`/hosted-payments/${encodeURIComponent(page)}`))
          : undefined
        const id = hosted?.payment_id ?? (payment && paymentOf(payment))
        if (id) {
          const answer = await api.get(`/payments/${encodeURIComponent(id)}`)
          const charge = wire.plainIn(Charge, answer)
          return charge ? asked(charge, now()) : []
        }
        if (!hosted) return []
        const isExpired = hosted.status === 'Expired'
        const statement: Statement | null = isExpired ? { kind: 'expired', at: timestamp(now()) } : null
        const eventId = `${hosted.id}:${hosted.status}`
        return [
          events.eventOf(
            { eventId, type: 'hosted payment' },
            { references: [payment?.id, hosted.id], statement },
          ),
        ]
      },
      refund: async ({ id, payment, amount, currency }) => {
        const charge = paymentOf(payment)
        if (!charge) return wire.REFUSED
        const answer = await api.post(
          `/payments/${charge}/refunds`,
          { amount: unitsOf({ amount, currency }), reference: id },
          { 'cko-idempotency-key': id },
        )
        if (wire.isRefusal(answer)) return wire.REFUSED
        return { state: 'pending', providerRefundId: wire.answered(Refunded, answer).action_id }
      },
    }
  },
})
