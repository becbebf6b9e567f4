import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { type Currency, exponentOf, type Money } from '#lib/kernel/money'
import type { Statement } from '../fact.ts'
import * as kit from '../provider/kit/kit.ts'
import * as wire from '../provider/kit/wire.ts'
import {
  defineProvider,
  type PaymentOrder,
  type ProviderEvent,
  type ProviderHttp,
  type StartedRefund,
} from '../provider/provider.ts'

/** Stripe's own limit: it refuses what is older, and takes what is newer. Run against stripe@23.1.0. */
const TOLERANCE_SECONDS = 300

const config = z.object({
  apiKey: kit.secret,
  webhookSecrets: kit.secrets,
  apiBase: kit.apiBase('https://api.stripe.com'),
})

const Envelope = z.object({
  id: z.string().min(1),
  type: z.string(),
  created: z.number().nullish(),
  data: z.object({ object: z.unknown() }),
})

/** What an event is about: a session, an intent, a charge, a refund or a dispute, by the fields we read. */
const Subject = z.object({
  id: z.string().min(1).max(255),
  created: z.number().nullish(),
  status: z.string().nullish(),
  payment_status: z.string().nullish(),
  amount: z.number().nullish(),
  amount_total: z.number().nullish(),
  amount_received: z.number().nullish(),
  amount_refunded: z.number().nullish(),
  currency: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  payment_intent: z.string().nullish(),
  charge: z.string().nullish(),
  reason: z.string().max(1000).nullish(),
  last_payment_error: z
    .object({ code: z.string().nullish(), decline_code: z.string().nullish(), message: z.string().nullish() })
    .nullish(),
})
type Subject = z.infer<typeof Subject>

const StartedSession = z.object({ id: z.string().min(1), url: z.url(), expires_at: z.number().nullish() })

const Listed = z.object({ data: z.array(Subject) })
const Refusal = z.object({ error: z.object({ type: z.string() }) })

type Tell = kit.Tell<Subject>

const succeeded: Tell = ({ amount_total, amount_received, currency }, at) => ({
  kind: 'succeeded',
  at,
  money: kit.moneyOf(amount_total ?? amount_received, currency, exponentAt),
})

/** Money comes later by a delayed method. */
const completed: Tell = (session, at) =>
  session.payment_status === 'unpaid' ? { kind: 'processing', at } : succeeded(session, at)

const failed =
  (final: boolean): Tell =>
  ({ last_payment_error: error }, at) =>
    kit.failed(at, { final, code: error?.decline_code ?? error?.code, message: error?.message })

/** `amount_refunded` counts everything given back so far, not the refund that made the event. */
const refundedTotal: Tell = ({ amount_refunded, currency }, at) => ({
  kind: 'refunded_total',
  at,
  money: kit.moneyOf(amount_refunded, currency, exponentAt),
})

const refundState = ({ status }: Subject): StartedRefund['state'] =>
  status === 'succeeded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending'

const refund: Tell = (subject, at) =>
  kit.refundOf(at, {
    id: subject.id,
    money: kit.moneyOf(subject.amount, subject.currency, exponentAt),
    state: refundState(subject),
    reason: subject.reason,
    ours: subject.metadata?.['refund_id'],
  })

const dispute: Tell = ({ id, status }, at) => ({
  kind: 'dispute',
  at,
  disputeId: id,
  state: status === 'lost' ? 'lost' : status === 'won' || status === 'warning_closed' ? 'won' : 'opened',
})

/** Stripe docs: "Types of events"; which of them are final: confidence GEN. Any other concerns no payment. */
const TELLS: Partial<Record<string, Tell>> = {
  'checkout.session.completed': completed,
  'checkout.session.async_payment_succeeded': succeeded,
  'checkout.session.async_payment_failed': failed(true),
  'checkout.session.expired': (_, at) => ({ kind: 'expired', at }),
  'payment_intent.succeeded': succeeded,
  'payment_intent.processing': (_, at) => ({ kind: 'processing', at }),
  'payment_intent.canceled': (_, at) => ({ kind: 'cancelled', at }),
  // The payer may try another card on the same session.
  'payment_intent.payment_failed': failed(false),
  'charge.refunded': refundedTotal,
  'charge.refund.updated': refund,
  'refund.created': refund,
  'refund.updated': refund,
  'refund.failed': refund,
  'charge.dispute.created': dispute,
  'charge.dispute.updated': dispute,
  'charge.dispute.closed': dispute,
}

/** A dispute does not inherit the payment's metadata: its intent and charge are what it is known by. */
const referencesOf = ({ client_reference_id, metadata, id, payment_intent, charge }: Subject) => [
  client_reference_id ?? metadata?.['payment_id'],
  id,
  payment_intent,
  charge,
]

/** Where Stripe counts otherwise than ISO 4217. Stripe docs: "Supported currencies"; confidence SEC. */
const EXPONENTS: Partial<Record<Currency, number>> = { ISK: 2, UGX: 2, MGA: 0 }
const exponentAt = (currency: Currency): number => EXPONENTS[currency] ?? exponentOf(currency)
const unitsOf = (money: Money) => wire.unitsOf(money, exponentAt)

/** The header that Stripe sends with these bytes; the whole secret is the key, its prefix included. */
export const stripeSignature = (secret: string, rawBody: Buffer, sentAtSeconds: number | string): string =>
  `t=${sentAtSeconds},v1=${kit.hmac('sha256', secret, [`${sentAtSeconds}.`, rawBody], 'hex')}`

function sessionForm(order: PaymentOrder, publicUrl: string): Record<string, string> {
  const returnUrl = order.returnUrl ?? publicUrl
  return {
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': order.currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': String(unitsOf(order)),
    'line_items[0][price_data][product_data][name]': order.purpose,
    client_reference_id: order.id,
    'metadata[payment_id]': order.id,
    'payment_intent_data[metadata][payment_id]': order.id,
    success_url: returnUrl,
    cancel_url: returnUrl,
  }
}

/** Requests to the API, whose bodies are forms. */
const apiOf = (http: ProviderHttp, apiBase: string, apiKey: string) => {
  const headers = { authorization: `Bearer ${apiKey}` }
  const { get } = wire.jsonApi(http, `${apiBase}/v1`, headers)
  return {
    get: async <Schema extends z.ZodType>(schema: Schema, path: string) =>
      wire.answered(schema, await get(path)),
    post: (path: string, key: string, fields: Record<string, string>) =>
      http({
        method: 'POST',
        url: `${apiBase}/v1${path}`,
        headers: {
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': key,
        },
        body: new URLSearchParams(fields).toString(),
        repeatable: true,
      }),
  }
}
type Api = ReturnType<typeof apiOf>

/** The session or, where only that is known, the intent that the ids name; the API can search by our own id too. */
async function subjectOf(api: Api, references: readonly string[]): Promise<Subject | undefined> {
  const [session] = references.filter((id) => id.startsWith('cs_'))
  if (session) return api.get(Subject, `/checkout/sessions/${encodeURIComponent(session)}`)
  const [intent] = references.filter((id) => id.startsWith('pi_'))
  if (intent) return api.get(Subject, `/payment_intents/${encodeURIComponent(intent)}`)
  const [own] = references.filter((id) => id.startsWith('pay_'))
  const query = encodeURIComponent(`metadata["payment_id"]:"${own}"`)
  return own ? (await api.get(Listed, `/payment_intents/search?query=${query}`)).data[0] : undefined
}

const intentOf = (subject: Subject | undefined): string | undefined =>
  subject?.id.startsWith('pi_') ? subject.id : (subject?.payment_intent ?? undefined)

/** How a session or an intent stands now; a session that is open says nothing yet. */
function standing(subject: Subject, at: Timestamp): Statement | null {
  const { id, status } = subject
  if (id.startsWith('cs_')) {
    if (status === 'expired') return { kind: 'expired', at }
    return status === 'complete' ? completed(subject, at) : null
  }
  if (status === 'succeeded') return succeeded(subject, at)
  if (status === 'canceled') return { kind: 'cancelled', at }
  return status === 'processing' ? { kind: 'processing', at } : null
}

/** When a refund was made; of one that failed since, Stripe does not say when, and that is what counts. */
const refundedAt = (subject: Subject, now: Timestamp): Timestamp =>
  (refundState(subject) === 'failed' ? null : kit.namedMoment(subject.created)) ?? now

/** What was asked for, as an event: known by the object, its state and its amount. */
function asEvent(subject: Subject, statement: Statement | null): ProviderEvent {
  const { id, status, payment_status, amount, amount_total, amount_received } = subject
  const units = amount_total ?? amount_received ?? amount
  const identity = { eventId: [id, status, payment_status, units].join(':'), type: `asked.${status}` }
  return kit.eventOf(identity, { references: referencesOf(subject), statement })
}

/**
 * Stripe Checkout. Callbacks carry `Stripe-Signature`, HMAC-SHA256 over time and body: run against the
 * official SDK. Requests to the API follow Stripe's documentation; confidence GEN.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now, publicUrl }) => {
    const api = apiOf(http, apiBase, apiKey)
    return {
      currencies: CURRENCIES,
      countries: COUNTRIES,
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: kit.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const checks = { secrets: webhookSecrets, now: now(), toleranceSeconds: TOLERANCE_SECONDS }
        return wire.isSignedInTime(headers['stripe-signature'], (sentAt) => [`${sentAt}.`, rawBody], checks)
      },
      translate: ({ rawBody }) => {
        const envelope = Envelope.safeParse(kit.jsonOf(rawBody))
        if (!envelope.success) return [kit.unreadable(rawBody, envelope.error)]
        const { id: eventId, type, created, data } = envelope.data
        const identity = { eventId, type, at: kit.momentOf(created, now()) }
        return [
          kit.tabled(TELLS, identity, { schema: Subject, value: data.object, references: referencesOf }),
        ]
      },
      refuses: (order) => {
        const units = unitsOf(order)
        if (units === undefined) return 'must be a whole number of units'
        // So the card networks want it. Stripe docs: "Three-decimal currencies"; confidence SEC.
        return exponentAt(order.currency) === 3 && units % 10 !== 0 ? 'must be a multiple of 10' : undefined
      },
      start: async (order) => {
        const answer = await api.post('/checkout/sessions', order.id, sessionForm(order, publicUrl))
        const { id, url, expires_at } = wire.answered(StartedSession, answer)
        return { url, expiresAt: kit.namedMoment(expires_at), references: [id] }
      },
      ask: async ({ references }) => {
        const subject = await subjectOf(api, references)
        if (!subject) return []
        const at = timestamp(now())
        const event = asEvent(subject, standing(subject, at))
        const intent = intentOf(subject)
        if (event.statement?.kind !== 'succeeded' || !intent) return [event]
        const query = `payment_intent=${encodeURIComponent(intent)}&limit=100`
        const [refunds, disputes] = await Promise.all([
          api.get(Listed, `/refunds?${query}`),
          api.get(Listed, `/disputes?${query}`),
        ])
        return [
          event,
          ...refunds.data.map((each) => asEvent(each, refund(each, refundedAt(each, at)))),
          ...disputes.data.map((each) => asEvent(each, dispute(each, at))),
        ]
      },
      refund: async (order) => {
        const known = order.payment.references.find((id) => id.startsWith('pi_'))
        const intent = known ?? intentOf(await subjectOf(api, order.payment.references))
        const answer = await api.post('/refunds', order.id, {
          payment_intent: intent ?? '',
          amount: String(unitsOf(order)),
          'metadata[refund_id]': order.id,
        })
        const refusal = answer.status === 400 ? Refusal.safeParse(kit.jsonOf(Buffer.from(answer.body))) : null
        if (refusal?.data?.error.type === 'invalid_request_error') return wire.REFUSED
        const made = wire.answered(Subject, answer)
        return { state: refundState(made), providerRefundId: made.id }
      },
      cancel: async ({ id, references }) => {
        const session = references.find((reference) => reference.startsWith('cs_'))
        if (session) await api.post(`/checkout/sessions/${session}/expire`, `${id}:cancel`, {})
      },
    }
  },
})

/** Stripe docs: "Supported presentment currencies"; confidence GEN. */
const CURRENCIES = wire.currencies(
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW',
)

/** Where a business can open an account. Stripe docs: "Global availability"; confidence GEN. */
const COUNTRIES =
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US'.split(
    ' ',
  )
