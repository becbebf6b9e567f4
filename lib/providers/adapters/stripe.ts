import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { type Currency, exponentOf, type Money } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import { pageAfterId, readWholeList } from '../kit/lists.ts'
import * as statements from '../kit/statements.ts'
import { defineProvider, type PaymentOrder, type ProviderHttp, type StartedRefund } from '../provider.ts'

/** Stripe's own limit: an older callback is refused, one from the future is accepted. Tested against stripe@23.1.0. */
const TOLERANCE_SECONDS = 300

const config = z.object({
  apiKey: settings.secret,
  webhookSecrets: settings.secrets,
  apiBase: settings.apiBase('https://api.stripe.com'),
})

const text = z.string().nullish()
const number = z.number().nullish()
const id = z.string().min(1).max(255)
const Envelope = z.object({ id, type: z.string(), created: number, data: z.object({ object: z.unknown() }) })

/** A session, an intent, a charge, a refund or a dispute, by the fields we read. */
const Subject = z.object({
  id,
  created: number,
  status: text,
  payment_status: text,
  amount: number,
  amount_total: number,
  amount_received: number,
  currency: text,
  client_reference_id: text,
  metadata: z.record(z.string(), z.string()).nullish(),
  payment_intent: text,
  latest_charge: text,
  charge: text,
  reason: text,
  evidence_details: z.object({ due_by: number }).nullish(),
  balance_transaction: z
    .union([z.string(), z.object({ id, fee: z.number(), currency: z.string() })])
    .nullish(),
  last_payment_error: z.object({ code: text, decline_code: text, message: text }).nullish(),
})
type Subject = z.infer<typeof Subject>

const StartedSession = z.object({ id, url: z.url(), expires_at: number })
const Listed = z.object({ data: z.array(Subject), has_more: z.boolean().nullish() })
const Refusal = z.object({ error: z.object({ type: z.string(), code: text, message: text }) })
const Reason = Refusal.transform(({ error }) => error)

type Interpreter = events.Interpreter<Subject>

/** The charge has the id of its intent, which succeeds once. A session names its intent. */
const succeeded = (subject: Subject, at: Timestamp): StatementOf<'succeeded'> =>
  statements.chargeOf(at, {
    id: intentOf(subject),
    money: moneyOf({ ...subject, amount: subject.amount_total ?? subject.amount_received }),
  })

const moneyOf = ({ amount, currency }: Pick<Subject, 'amount' | 'currency'>) =>
  amounts.moneyOf(amount, currency, exponentAt)

/** A delayed method, such as a bank debit, completes the session before the money comes. */
const completed = (session: Subject, at: Timestamp) =>
  session.payment_status === 'unpaid' ? processing(session, at) : succeeded(session, at)

/** Each try to pay an intent is a charge of Stripe's, whose id names the try. */
const processing = ({ latest_charge }: Subject, at: Timestamp): StatementOf<'processing'> =>
  latest_charge ? statements.processingOf(at, latest_charge) : { kind: 'processing', at }

const failed =
  ({ final }: { final: boolean }) =>
  ({ last_payment_error: error, latest_charge }: Subject, at: Timestamp): StatementOf<'failed'> =>
    statements.failureOf(at, {
      final,
      code: error?.decline_code ?? error?.code,
      message: error?.message,
      ...(latest_charge && { tryId: latest_charge }),
    })

function refundState({ status }: Subject): StartedRefund['state'] {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}

const refund = (subject: Subject, at: Timestamp): StatementOf<'refund'> =>
  statements.refundOf(at, {
    id: subject.id,
    money: moneyOf(subject),
    state: refundState(subject),
    chargeId: subject.payment_intent,
    reason: subject.reason,
    ours: subject.metadata?.['refund_id'],
  })

/** An inquiry (`warning_…`) takes no money; a closed or prevented inquiry has ended in our favour. */
const DISPUTE_STATES: Partial<Record<string, StatementOf<'dispute'>['state']>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  prevented: 'won',
  won: 'won',
  lost: 'lost',
}

const dispute = (subject: Subject, at: Timestamp): StatementOf<'dispute'> =>
  statements.disputeOf(at, {
    id: subject.id,
    state: events.entryOf(DISPUTE_STATES, subject.status) ?? 'open',
    money: moneyOf(subject),
    chargeId: subject.payment_intent,
    reason: subject.reason,
    respondBy: subject.evidence_details?.due_by,
  })

/** Stripe docs, "Types of events"; which failures are final is not documented. Any other type is about no payment. */
const INTERPRETERS: Partial<Record<string, Interpreter>> = {
  'checkout.session.completed': completed,
  'checkout.session.async_payment_succeeded': succeeded,
  'checkout.session.async_payment_failed': failed({ final: true }),
  'checkout.session.expired': (_, at) => ({ kind: 'expired', at }),
  'payment_intent.succeeded': succeeded,
  'payment_intent.processing': processing,
  'payment_intent.canceled': (_, at) => ({ kind: 'cancelled', at }),
  // The payer may try another card on the same session.
  'payment_intent.payment_failed': failed({ final: false }),
  // The event has only the total refunded so far: the refunds themselves are read.
  'charge.refunded': () => null,
  'charge.refund.updated': refund,
  'refund.created': refund,
  'refund.updated': refund,
  'refund.failed': refund,
  'charge.dispute.created': dispute,
  'charge.dispute.updated': dispute,
  'charge.dispute.closed': dispute,
}

/** A dispute does not inherit the payment's metadata: its intent and charge identify it. */
const referencesOf = ({ client_reference_id, metadata, id, payment_intent, charge }: Subject) => [
  client_reference_id ?? metadata?.['payment_id'],
  id,
  payment_intent,
  charge,
]

/** Where Stripe counts otherwise than ISO 4217. Stripe docs, "Supported currencies". */
const EXPONENTS: Partial<Record<Currency, number>> = { ISK: 2, UGX: 2, MGA: 0 }
const exponentAt = (currency: Currency): number => EXPONENTS[currency] ?? exponentOf(currency)
const unitsOf = (money: Money) => amounts.unitsOf(money, exponentAt)

/**
 * Stripe docs, "Minimum and maximum charge amounts": twelve digits of rupiah, eight of everything else. The minimum
 * depends on the account's bank and the method, and is 1 for some: Stripe refuses a smaller sum.
 */
const limitOf = (currency: Currency) => {
  const stripeUnits = currency === 'IDR' ? 999_999_999_999 : 99_999_999
  const minorUnits = stripeUnits * 10 ** (exponentOf(currency) - exponentAt(currency))
  return { min: 1, max: Math.floor(minorUnits) }
}

/** Returns the header that Stripe sends with these bytes; the whole secret is the key, its prefix included. */
export const stripeSignature = (secret: string, rawBody: Buffer, sentAtSeconds: number | string): string =>
  `t=${sentAtSeconds},v1=${signatures.hmac('sha256', secret, [`${sentAtSeconds}.`, rawBody], 'hex')}`

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
    expires_at: String(Math.floor(Date.parse(order.expiresAt) / 1000)),
    // The payer pays in the currency that was asked for: a converted sum would match nothing.
    'adaptive_pricing[enabled]': 'false',
  }
}

/** The version whose fields are read here: that of stripe@23.1.0. */
const STRIPE_VERSION = '2026-10-28.endive'

/** Requests to the API, whose bodies are forms. */
const apiOf = (http: ProviderHttp, apiBase: string, apiKey: string) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'stripe-version': STRIPE_VERSION }
  const { get } = wire.jsonApi(http, `${apiBase}/v1`, headers)
  return {
    find: async (path: string) => wire.readFound(Subject, await get(path)),
    /** All pages of a list. */
    list: (path: string): Promise<Subject[]> =>
      readWholeList('', async (after) => {
        const from = after && `&starting_after=${encodeURIComponent(after)}`
        const { data, has_more } = wire.readAnswer(Listed, await get(`${path}&limit=100${from}`))
        return pageAfterId(data, has_more)
      }),
    /** Returns the charges of an intent with their balance transactions; none for a key that may not read them. */
    charges: async (intent: string): Promise<Subject[]> => {
      const query = new URLSearchParams({ payment_intent: intent, 'expand[]': 'data.balance_transaction' })
      const answer = await get(`/charges?${query}`)
      return wire.isRefusal(answer) || answer.status === 403 ? [] : wire.readAnswer(Listed, answer).data
    },
    post: (path: string, key: string, fields: Record<string, string>, { repeatable = true } = {}) =>
      http({
        method: 'POST',
        url: `${apiBase}/v1${path}`,
        headers: {
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': key,
        },
        body: new URLSearchParams(fields).toString(),
        repeatable,
      }),
  }
}
type Api = ReturnType<typeof apiOf>

const isSession = (id: string): boolean => id.startsWith('cs_')

/** The session or, where only that is known, the intent that the ids name; the API can search by our own id too. */
async function subjectOf(api: Api, references: readonly string[]): Promise<Subject | undefined> {
  const [session] = references.filter(isSession)
  if (session) return api.find(`/checkout/sessions/${encodeURIComponent(session)}`)
  const [intent] = references.filter((id) => id.startsWith('pi_'))
  if (intent) return api.find(`/payment_intents/${encodeURIComponent(intent)}`)
  const [own] = references.filter((id) => id.startsWith('pay_'))
  if (!own) return undefined
  const query = encodeURIComponent(`metadata["payment_id"]:"${own}"`)
  return (await api.list(`/payment_intents/search?query=${query}`))[0]
}

const intentOf = (subject: Subject | undefined): string | undefined =>
  subject?.id.startsWith('pi_') ? subject.id : (subject?.payment_intent ?? undefined)

/** Interprets a session or an intent. An open session has no statement yet. */
function chargeState(subject: Subject, at: Timestamp): PaymentReading['charges'] {
  const { id, status } = subject
  if (isSession(id)) {
    if (status === 'expired') return [{ kind: 'expired', at }]
    return status === 'complete' ? [completed(subject, at)] : []
  }
  if (status === 'succeeded') return [succeeded(subject, at)]
  if (status === 'canceled') return [{ kind: 'cancelled', at }]
  return status === 'processing' ? [processing(subject, at)] : []
}

/** A delayed method that fails leaves its session complete and unpaid: its intent says that it failed. */
async function delayedState(api: Api, intent: string, at: Timestamp): Promise<PaymentReading['charges']> {
  const found = await api.find(`/payment_intents/${encodeURIComponent(intent)}`)
  if (found?.status === 'requires_payment_method') return [failed({ final: true })(found, at)]
  if (found?.status === 'canceled') return [{ kind: 'cancelled', at }]
  return [found ? processing(found, at) : { kind: 'processing', at }]
}

/** Returns the fee of a charge, once its balance transaction is there. */
const feesOf = ({ balance_transaction: balance }: Subject, now: Date): StatementOf<'fee'>[] =>
  balance && typeof balance === 'object'
    ? statements.feesOf(now, balance.id, moneyOf({ amount: balance.fee, currency: balance.currency }))
    : []

/** Reads a payment with all its refunds, disputes and fees. */
async function read(api: Api, references: readonly string[], now: Date): Promise<PaymentReading | null> {
  const subject = await subjectOf(api, references)
  if (!subject) return null
  const at = timestamp(now)
  const intent = intentOf(subject)
  const subjectState = chargeState(subject, at)
  const isDelayed = intent !== undefined && isSession(subject.id) && subjectState[0]?.kind === 'processing'
  const charges = isDelayed ? await delayedState(api, intent, at) : subjectState
  const reading = { references: referencesOf(subject), charges }
  if (!intent || charges[0]?.kind !== 'succeeded') return statements.readingOf(reading)
  const query = `payment_intent=${encodeURIComponent(intent)}`
  const [refunds, disputes, tries] = await Promise.all([
    api.list(`/refunds?${query}`),
    api.list(`/disputes?${query}`),
    api.charges(intent),
  ])
  return statements.readingOf({
    ...reading,
    refunds: refunds.map((each) => refund(each, events.momentOf(each.created, now))),
    disputes: disputes.map((each) => dispute(each, at)),
    fees: tries.flatMap((each) => feesOf(each, now)),
  })
}

/**
 * Stripe Checkout. Callbacks carry `Stripe-Signature`, HMAC-SHA256 over time and body: tested against the official SDK.
 * Fields, states and names of events are those of the SDK's types for the version that every request pins; currencies,
 * their decimals and limits are as documented. A session ends 30 minutes to 24 hours after its creation.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now, publicUrl }) => {
    const api = apiOf(http, apiBase, apiKey)
    return {
      currencies: CURRENCIES,
      limits: LIMITS,
      countries: COUNTRIES,
      callbackMethods: ['POST'],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const checks = { secrets: webhookSecrets, now: now(), toleranceSeconds: TOLERANCE_SECONDS }
        const signed = (sentAt: string) => [`${sentAt}.`, rawBody]
        return signatures.isSignedInTime(headers['stripe-signature'], signed, checks) ? 'signed' : 'forged'
      },
      interpret: ({ rawBody }) => {
        const envelope = Envelope.safeParse(events.jsonOf(rawBody))
        if (!envelope.success) return [events.unreadableEvent(rawBody, envelope.error)]
        const { id: eventId, type, created, data } = envelope.data
        const identity = { eventId, type, at: events.momentOf(created, now()) }
        return [
          events.interpretByType(INTERPRETERS, identity, {
            schema: Subject,
            value: data.object,
            references: referencesOf,
          }),
        ]
      },
      refuses: (order) => {
        const units = unitsOf(order)
        if (units === undefined) return 'must be a whole number of units'
        // Stripe docs, "Three-decimal currencies".
        return exponentAt(order.currency) === 3 && units % 10 !== 0 ? 'must be a multiple of 10' : undefined
      },
      start: async (order) => {
        const answer = await api.post('/checkout/sessions', order.id, sessionForm(order, publicUrl))
        const refused = wire.refusalOf(answer, Reason)
        if (refused && !isKeyReused(answer)) return refused
        const { id, url, expires_at } = wire.readAnswer(StartedSession, answer)
        return { url, expiresAt: events.namedMoment(expires_at), references: [id] }
      },
      close: async ({ id, references }) => {
        const session = references.find(isSession)
        if (!session) return false
        const path = `/checkout/sessions/${encodeURIComponent(session)}`
        const { status } = await api.post(`${path}/expire`, `${id}:close`, {})
        // An expired or paid session refuses.
        return status < 300 || (await api.find(path))?.status === 'expired'
      },
      readPayment: ({ references }) => read(api, references, now()),
      startRefund: async (order) => {
        const { references } = order.payment
        const known = order.chargeId ?? references.find((id) => id.startsWith('pi_'))
        const request = {
          payment_intent: known ?? intentOf(await subjectOf(api, references)) ?? '',
          amount: String(unitsOf(order)),
          'metadata[refund_id]': order.id,
        }
        const answer = await api.post('/refunds', order.key, request, wire.NO_RETRY)
        if (wire.isRefusal(answer) && !isKeyReused(answer)) return wire.REFUSED
        const made = wire.readAnswer(Subject, answer)
        return { state: refundState(made), providerRefundId: made.id }
      },
    }
  },
})

/** The key was sent before with other data: what became of that request is not known from this answer. */
const isKeyReused = ({ body }: { body: string }): boolean =>
  Refusal.safeParse(events.jsonOf(Buffer.from(body))).data?.error.type === 'idempotency_error'

/** Stripe docs, "Supported presentment currencies". */
const CURRENCIES = amounts.currencies(
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW',
)

/** By currency. */
const LIMITS = Object.fromEntries(CURRENCIES.map((currency) => [currency, limitOf(currency)]))

/** Where a business can open an account. Stripe docs, "Supported currencies", without India, which is by invitation. */
const COUNTRIES =
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US'.split(
    ' ',
  )
