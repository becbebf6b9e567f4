import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import type { Currency } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import { pageOf, readWholeList } from '../kit/lists.ts'
import * as pages from '../kit/pages.ts'
import { namesOf } from '../kit/payers.ts'
import * as statements from '../kit/statements.ts'
import {
  type CallbackRequest,
  defineProvider,
  type KnownPayment,
  type PaymentOrder,
  type PaymentQuestion,
  type ProviderEvent,
  type ProviderHttp,
  type StartedRefund,
} from '../provider.ts'

const config = z.object({
  accessToken: settings.secret,
  webhookSecrets: settings.secrets,
  apiBase: settings.apiBase('https://api.mercadopago.com'),
})

/** The API's numbers are read as text, to stay exact. */
const text = z.string().nullish()
const id = z.string().min(1).max(255)

const Refund = z.object({ id, status: text, amount: text, reason: text, date_created: text })
type Refund = z.infer<typeof Refund>

/** One try to pay on the page of a preference, Mercado Pago's name for a checkout. */
const Payment = z.object({
  id,
  status: z.string(),
  status_detail: text,
  transaction_amount: text,
  currency_id: text,
  external_reference: text,
  date_created: text,
  date_approved: text,
  date_last_updated: text,
  refunds: z.array(Refund).nullish(),
  fee_details: z.array(z.object({ amount: text, fee_payer: text })).nullish(),
})
type Payment = z.infer<typeof Payment>

/** A boolean in the guide to chargebacks, a text in the reference of the API. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])

const Chargeback = z.object({
  id,
  payments: z.array(z.string()),
  amount: text,
  currency: text,
  reason: text,
  /** Null until it is decided; true: for the seller. */
  coverage_applied: flag.nullish().catch(null),
  date_documentation_deadline: text,
  date_last_updated: text,
})
type Chargeback = z.infer<typeof Chargeback>

/** A claim is about a payment, an order or a shipment. */
const Claim = z.object({ resource: text, resource_id: text })

const Body = z.object({ type: text, topic: text })
const Started = z.object({ id: z.string().min(1), init_point: z.url(), expiration_date_to: text })
const Reason = z
  .object({
    error: text,
    message: text,
    cause: z
      .array(z.object({ code: text }))
      .nullish()
      .catch(null),
  })
  .transform(({ error, message, cause }) => ({ code: cause?.[0]?.code ?? error, message }))

/** Returns the text that `x-signature` signs; a part that is absent is left out. */
const manifestOf = (dataId: string | null, requestId: string | undefined, sentAt: string): string =>
  [dataId && `id:${dataId};`, requestId && `request-id:${requestId};`, `ts:${sentAt};`]
    .filter(Boolean)
    .join('')

/** Returns the header that Mercado Pago sends with a request about `dataId`. Its body is not signed. */
export const mercadopagoSignature = (
  secret: string,
  { dataId, requestId, sentAt }: { dataId: string; requestId: string; sentAt: string },
): string =>
  `ts=${sentAt},v1=${signatures.hmac('sha256', secret, [manifestOf(dataId, requestId, sentAt)], 'hex')}`

const queryOf = ({ rawQuery }: CallbackRequest) => new URLSearchParams(rawQuery)

/** Whether the signature covers the id as it came, as in the SDK, or in lower case, as in the documentation. */
function isSigned(request: CallbackRequest, secrets: readonly string[]): boolean {
  const { 'x-signature': header, 'x-request-id': requestId } = request.headers
  const [sentAt] = signatures.valuesOf(header, 'ts')
  if (!sentAt) return false
  const dataId = queryOf(request).get('data.id')
  return [dataId, dataId?.toLowerCase() ?? null].some((signedId) =>
    signatures
      .valuesOf(header, 'v1')
      .some((signature) =>
        signatures.isMadeByAny(signature, secrets, (secret) =>
          signatures.hmac('sha256', secret, [manifestOf(signedId, requestId, sentAt)], 'hex'),
        ),
      ),
  )
}

/** The prefix of a reference to a chargeback: payments and chargebacks are numbered apart. */
const CHARGEBACK = 'chargeback:'
/** The prefix of a reference to a claim, whose mediation disputes a payment. */
const CLAIM = 'claim:'
const TOPICS: Partial<Record<string, string>> = {
  payment: '',
  topic_chargebacks_wh: CHARGEBACK,
  topic_claims_integration_wh: CLAIM,
}

/** Interprets a callback: it points at a payment, a chargeback or a claim, by the one id that is signed. */
function interpret(request: CallbackRequest): ProviderEvent {
  const query = queryOf(request)
  const body = Body.safeParse(events.jsonWithTextNumbers(request.rawBody)).data
  const type = query.get('type') ?? query.get('topic') ?? body?.type ?? body?.topic ?? 'unknown'
  const dataId = query.get('data.id')
  const identity = { eventId: `${type}:${dataId}:${signatures.sha256(request.rawBody)}`, type }
  const prefix = events.entryOf(TOPICS, type)
  if (!dataId || prefix === undefined) return events.eventOf(identity, events.NO_PAYMENT)
  return events.eventOf(identity, { references: [prefix + dataId], statement: null })
}

const MONEY_THAT_CAME = ['approved', 'refunded', 'charged_back', 'in_mediation']
const isPaid = ({ status }: Payment): boolean => MONEY_THAT_CAME.includes(status)

const chargeOf = (payment: Payment, now: Date): StatementOf<'succeeded'> =>
  statements.chargeOf(events.momentOf(payment.date_approved ?? payment.date_last_updated, now), {
    id: payment.id,
    money: amounts.decimalMoneyOf(payment.transaction_amount, payment.currency_id),
  })

/** Returns the state of a payment without a success. A failed or cancelled try leaves it open as long as the page is. */
function chargeState(tries: Payment[], isPageOver: boolean, now: Date): PaymentReading['charges'] {
  const at = timestamp(now)
  const underWay = tries.filter(({ status }) => ['pending', 'in_process', 'authorized'].includes(status))
  if (underWay.length > 0) return underWay.map(({ id }) => statements.processingOf(at, id))
  const latest = tries.toSorted(byTime).at(-1)
  if (latest?.status === 'rejected') {
    const code = latest.status_detail || 'rejected'
    const message = 'The payment was rejected.'
    return [statements.failureOf(at, { final: isPageOver, code, message, tryId: latest.id })]
  }
  if (latest?.status !== 'cancelled' || !isPageOver) return []
  return [{ kind: latest.status_detail === 'expired' ? 'expired' : 'cancelled', at }]
}

/** Compares two tries by age. Without a readable date the difference is NaN, and they count as equally old. */
const byTime = (one: Payment, other: Payment): number =>
  Date.parse(one.date_created ?? '') - Date.parse(other.date_created ?? '') || 0

const refundState = (status: string | null | undefined): StartedRefund['state'] => {
  if (status === 'rejected' || status === 'cancelled') return 'failed'
  return status === 'in_process' ? 'pending' : 'succeeded'
}

const refundOf = (refund: Refund, { id: chargeId, currency_id }: Payment, now: Date) =>
  statements.refundOf(events.momentOf(refund.date_created, now), {
    id: refund.id,
    money: amounts.decimalMoneyOf(refund.amount, currency_id),
    state: refundState(refund.status),
    chargeId,
    reason: refund.reason,
  })

const chargebackState = (isCovered: boolean | null | undefined): 'open' | 'won' | 'lost' => {
  if (isCovered == null) return 'open'
  return isCovered ? 'won' : 'lost'
}

const chargebackOf = (chargeback: Chargeback, now: Date): StatementOf<'dispute'> => {
  const { coverage_applied: isCovered, payments, amount, currency } = chargeback
  return statements.disputeOf(events.momentOf(chargeback.date_last_updated, now), {
    id: chargeback.id,
    state: chargebackState(isCovered),
    money: amounts.decimalMoneyOf(amount, currency),
    chargeId: payments[0],
    reason: chargeback.reason,
    respondBy: chargeback.date_documentation_deadline,
  })
}

/** The outcome by `status_detail`: `settled` for the payer, `reimbursed` to the account. */
const OUTCOMES: Partial<Record<string, 'won' | 'lost'>> = { settled: 'lost', reimbursed: 'won' }

/**
 * Returns a dispute without a chargeback's id: a mediation, or a chargeback that is not listed yet. It has its payment's id,
 * by which `foldOf` takes it for the chargeback once that is listed. When the payment is no longer disputed, it is won.
 */
function unnamedDispute({ id, status, status_detail }: Payment, isDisputedHere: boolean, at: Timestamp) {
  const isDisputed = status === 'charged_back' || status === 'in_mediation'
  if (!isDisputed && !isDisputedHere) return []
  const state = isDisputed ? (events.entryOf(OUTCOMES, status_detail) ?? 'open') : 'won'
  return [statements.disputeOf(at, { id, state, chargeId: id })]
}

function feesOf({ id, fee_details, currency_id }: Payment, now: Date): StatementOf<'fee'>[] {
  const fees = (fee_details ?? [])
    .filter(({ fee_payer }) => fee_payer !== 'payer')
    .flatMap(({ amount }) => amounts.decimalMoneyOf(amount, currency_id) ?? [])
  const [first] = fees
  if (!first) return []
  const amount = fees.reduce((total, fee) => total + fee.amount, 0)
  return statements.feesOf(now, id, { ...first, amount })
}

const isNumbered = (reference: string): boolean => /^\d+$/.test(reference)
const isPreference = (reference: string): boolean => /^\d+-/.test(reference)

const PAGE_SIZE = 50
const FIRST_OFFSET = 0

const apiOf = (http: ProviderHttp, apiBase: string, accessToken: string) => {
  const api = wire.jsonApi(http, apiBase, {
    authorization: `Bearer ${accessToken}`,
    // Otherwise a refund of a Pix payment in process answers 400, like a refusal, and is in no list.
    'x-render-in-process-refunds': 'true',
  })
  /** Returns the items of all pages of a search; none where the API answers 404. */
  const search = async <Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    by: Record<string, string>,
  ): Promise<z.output<Schema>[]> => {
    const Page = z.object({ results: z.array(schema), paging: z.object({ total: z.string() }).nullish() })
    return readWholeList(FIRST_OFFSET, async (offset) => {
      const query = new URLSearchParams({ ...by, limit: String(PAGE_SIZE), offset: String(offset) })
      const page = wire.readFoundWithTextNumbers(Page, await api.get(`${path}/search?${query}`))
      return pageOf(page?.results ?? [], offset, page?.paging?.total)
    })
  }
  const payment = async (paymentId: string) =>
    wire.readFoundWithTextNumbers(Payment, await api.get(`/v1/payments/${encodeURIComponent(paymentId)}`))
  const chargeback = async (chargebackId: string) =>
    wire.readFoundWithTextNumbers(
      Chargeback,
      await api.get(`/v1/chargebacks/${encodeURIComponent(chargebackId)}`),
    )
  return {
    ...api,
    payment,
    chargeback,
    /** Returns the ids of the payments that a claim is about. */
    paymentIdsOfClaim: async (claimId: string): Promise<string[]> => {
      const path = `/post-purchase/v1/claims/${encodeURIComponent(claimId)}`
      const { resource, resource_id } = wire.readFoundWithTextNumbers(Claim, await api.get(path)) ?? {}
      return resource === 'payment' && resource_id ? [resource_id] : []
    },
    paymentsOf: (reference: string) => search(Payment, '/v1/payments', { external_reference: reference }),
    chargebacksOf: (paymentId: string) => search(Chargeback, '/v1/chargebacks', { payment_id: paymentId }),
    /** Returns the refunds of a payment, including those missing in the payment itself. */
    refundsOf: async ({ id: paymentId, refunds }: Payment): Promise<Refund[]> =>
      wire.readFoundWithTextNumbers(z.array(Refund), await api.get(`/v1/payments/${paymentId}/refunds`)) ??
      refunds ??
      [],
  }
}
type Api = ReturnType<typeof apiOf>

/** Returns every attempt to pay: the results of the search, and those of known ids that the search may lack. */
async function triesOf(api: Api, payment: KnownPayment | null, knownIds: string[]): Promise<Payment[]> {
  const found = payment ? await api.paymentsOf(payment.id) : []
  const missingIds = knownIds.filter((paymentId) => !found.some((each) => each.id === paymentId))
  const more = await Promise.all(missingIds.map(api.payment))
  const tries = [...found, ...more.flatMap((each) => each ?? [])]
  return payment ? tries.filter(({ external_reference }) => external_reference === payment.id) : tries
}

/** Returns the disputes of paid payments, each by its chargeback's id. */
async function disputesOf(
  api: Api,
  paid: Payment[],
  readById: Chargeback[],
  isDisputedHere: boolean,
  now: Date,
): Promise<StatementOf<'dispute'>[]> {
  const each = await Promise.all(
    paid.map(async (payment) => {
      const mayHaveChargebacks = isDisputedHere || payment.status === 'charged_back'
      const listed = mayHaveChargebacks ? await api.chargebacksOf(payment.id) : []
      const all = [...listed, ...readById.filter(({ payments }) => payments.includes(payment.id))]
      const chargebacks = [...new Map(all.map((chargeback) => [chargeback.id, chargeback])).values()]
      if (chargebacks.length === 0) return unnamedDispute(payment, isDisputedHere, timestamp(now))
      return chargebacks.map((chargeback) => chargebackOf(chargeback, now))
    }),
  )
  return each.flat()
}

const idsAfter = (prefix: string, references: readonly string[]): string[] =>
  references.flatMap((reference) => (reference.startsWith(prefix) ? reference.slice(prefix.length) : []))

async function read(
  api: Api,
  { references, payment }: PaymentQuestion,
  now: Date,
): Promise<PaymentReading | null> {
  const [found, claimed] = await Promise.all([
    Promise.all(idsAfter(CHARGEBACK, references).map(api.chargeback)),
    Promise.all(idsAfter(CLAIM, references).map(api.paymentIdsOfClaim)),
  ])
  const chargebacks = found.flatMap((each) => each ?? [])
  const disputed = [...chargebacks.flatMap(({ payments }) => payments), ...claimed.flat()]
  const paymentIds = [...references.filter(isNumbered), ...disputed]
  const tries = await triesOf(api, payment, [...new Set(paymentIds)])
  if (tries.length === 0) return null
  const paid = tries.filter(isPaid)
  const isPageOver = payment !== null && pages.isPageOver(payment, now)
  const refunds = await Promise.all(
    paid.map(async (each) => (await api.refundsOf(each)).map((refund) => refundOf(refund, each, now))),
  )
  return statements.readingOf({
    references: [...tries.map((each) => each.external_reference), ...paid.map((each) => each.id)],
    charges: paid.length > 0 ? paid.map((each) => chargeOf(each, now)) : chargeState(tries, isPageOver, now),
    refunds: refunds.flat(),
    disputes: await disputesOf(api, paid, chargebacks, payment?.status === 'DISPUTED', now),
    fees: paid.flatMap((each) => feesOf(each, now)),
  })
}

const CURRENCIES: readonly Currency[] = ['ARS', 'BRL', 'CLP', 'COP', 'MXN', 'PEN', 'UYU']

/** Returns the amount as decimal text. Pesos of Colombia and Chile are asked for without centavos. */
const amountOf = (money: { amount: number; currency: Currency }) => {
  const decimals = money.currency === 'COP' || money.currency === 'CLP' ? 0 : 2
  return amounts.decimalTextOf(money, decimals)
}

/** Builds a preference. The country goes into the notes: there is no other field for the country of a payer. */
function preferenceOf(order: PaymentOrder, publicUrl: string, callbackUrl: string) {
  const returnUrl = order.returnUrl ?? publicUrl
  const { first, last } = namesOf(order.name)
  const price = { unit_price: Number(amountOf(order)), currency_id: order.currency }
  return {
    items: [{ id: order.id, title: order.purpose, quantity: 1, ...price }],
    payer: { name: first, surname: last, email: order.email },
    external_reference: order.id,
    metadata: { payment_id: order.id, country: order.country },
    // Without this parameter, Mercado Pago also sends older messages, which are unsigned.
    notification_url: `${callbackUrl}?source_news=webhooks`,
    back_urls: { success: returnUrl, pending: returnUrl, failure: returnUrl },
    expires: true,
    expiration_date_to: order.expiresAt,
    // The end of a ticket or a Pix code that the page has given out.
    date_of_expiration: order.expiresAt,
  }
}

/**
 * Mercado Pago's checkout. Callbacks carry `x-signature`, HMAC-SHA256 over the id in the query, the request's id and a
 * time. This was tested against the official SDK, which accepts a signature of any age, and a time in seconds or
 * milliseconds. The body is not signed, so the payment is read. Documented are the statuses, the chargebacks and their
 * search, the expiry of a preference and that it can be changed; the fields of a refund were read in the SDK's types;
 * that a past expiry closes the page, and that a declined payer may try once more on it, is not documented: try them
 * with test accounts first. A refund takes no note of ours. A mediation has no id of its own here: it is known by its
 * payment. The least and the most that can be paid go by account and method (`GET /v1/payment_methods`): none are known
 * here.
 */
export const provider = defineProvider({
  config,
  open: ({ accessToken, webhookSecrets, apiBase }, { http, now, publicUrl, callbackUrl }) => {
    const api = apiOf(http, apiBase, accessToken)
    return {
      currencies: CURRENCIES,
      countries: ['AR', 'BR', 'CL', 'CO', 'MX', 'PE', 'UY'],
      callbackMethods: ['POST'],
      acknowledgement: events.ACKNOWLEDGED,
      // The signature covers the id alone: it proves the sender, not the body.
      verify: (request) => (isSigned(request, webhookSecrets) ? 'sender' : 'forged'),
      interpret: (request) => [interpret(request)],
      refuses: (order) => (amountOf(order) === undefined ? 'must be a whole number of units' : undefined),
      start: async (order) => {
        const request = preferenceOf(order, publicUrl, callbackUrl)
        const answer = await api.post('/checkout/preferences', request, { 'x-idempotency-key': order.id })
        const refused = wire.refusalOf(answer, Reason)
        if (refused) return refused
        const { id, init_point: url, expiration_date_to: end } = wire.readAnswer(Started, answer)
        return { url, expiresAt: events.namedMoment(end) ?? order.expiresAt, references: [id] }
      },
      close: async ({ id, references }) => {
        const preference = references.find(isPreference)
        if (!preference) return false
        const end = { expires: true, expiration_date_to: timestamp(now()) }
        const closed = await api.put(`/checkout/preferences/${encodeURIComponent(preference)}`, end)
        if (closed.status >= 300) return false
        // A ticket or a Pix code that the page has given out is paid elsewhere.
        const open = (await api.paymentsOf(id)).filter(({ status }) => status === 'pending')
        const cancelled = await Promise.all(
          open.map((each) => api.put(`/v1/payments/${each.id}`, { status: 'cancelled' })),
        )
        return cancelled.every(({ status }) => status < 300)
      },
      readPayment: (question) => read(api, question, now()),
      startRefund: async ({ key, payment, chargeId, amount, currency }) => {
        const paid = chargeId ?? payment.references.find(isNumbered)
        if (!paid) return wire.REFUSED
        const request = { amount: Number(amountOf({ amount, currency })) }
        const path = `/v1/payments/${encodeURIComponent(paid)}/refunds`
        const answer = await api.post(path, request, { 'x-idempotency-key': key }, wire.NO_RETRY)
        if (wire.isRefusal(answer)) return wire.REFUSED
        const refund = wire.readAnswerWithTextNumbers(Refund, answer)
        return { state: refundState(refund.status), providerRefundId: refund.id }
      },
    }
  },
})
