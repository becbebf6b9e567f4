import * as z from 'zod'
import { timestamp } from '#lib/kernel/clock'
import type { StatementOf } from '../fact.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import { withToken } from '../provider/kit/tokens.ts'
import {
  type CallbackRequest,
  defineProvider,
  type PaymentOrder,
  type PaymentQuestion,
  type PaymentReading,
  type ProviderEvent,
  type ProviderTools,
  type RefusedPayment,
  type StartedPayment,
} from '../provider/provider.ts'
import { mayHaveArrived } from '../provider/undone.ts'

const config = z.object({
  consumerKey: settings.secret,
  consumerSecret: settings.secret,
  shortCode: settings.secret,
  passkey: settings.secret,
  /** The number of a till, which takes the money of the short code's prompts; else a pay bill does. */
  till: settings.secret.optional(),
  apiBase: settings.apiBase('https://api.safaricom.co.ke'),
})
type Config = z.output<typeof config>

/** Numbers as their text: a code is one in a callback and a text in an answer. */
const StkCallback = z.object({
  CheckoutRequestID: z.string().min(1).max(255),
  ResultCode: z.string(),
  ResultDesc: z.string().nullish(),
  CallbackMetadata: z
    .object({ Item: z.array(z.object({ Name: z.string(), Value: z.unknown().optional() })) })
    .nullish(),
})
type StkCallback = z.infer<typeof StkCallback>
const Callback = z.object({ Body: z.object({ stkCallback: StkCallback }) })

const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().catch(0) })
const Started = z.object({ CheckoutRequestID: z.string().min(1), ResponseCode: z.literal('0') })
const Queried = z.object({ ResultCode: z.string(), ResultDesc: z.string().nullish() })
const Reason = z
  .object({ errorCode: z.string().nullish(), errorMessage: z.string().nullish() })
  .transform(({ errorCode: code, errorMessage: message }) => ({ code, message }))

const PAID = '0'
const CANCELLED_BY_USER = '1032'
/** The prompt is still open, where the query does not say so by a 500; general knowledge. */
const IN_PROGRESS = '4999'

/** Each prompt ends once: what is no success is final. */
function endOf(
  code: string,
  description: string | null | undefined,
  now: Date,
): StatementOf<'cancelled' | 'failed'> {
  const at = timestamp(now)
  if (code === CANCELLED_BY_USER) return { kind: 'cancelled', at }
  return statements.failureOf(at, { code, message: description })
}

/** The list is looked up by name: items may be absent, or have no value. */
const amountIn = ({ CallbackMetadata }: StkCallback): string | null => {
  const value = CallbackMetadata?.Item.find(({ Name }) => Name === 'Amount')?.Value
  return typeof value === 'string' ? value : null
}

/**
 * A claim, known by the request that it ends and its result alone, and by the payment where the address that it came to
 * names one. The sum in it is a stranger's: what is stored is what the query confirms.
 */
function interpret(rawBody: Buffer, addressee: string | null, now: Date): ProviderEvent {
  const callback = Callback.safeParse(events.exactJsonOf(rawBody))
  if (!callback.success) return events.unreadableEvent(rawBody, callback.error)
  const { stkCallback } = callback.data.Body
  const { CheckoutRequestID: id, ResultCode: code, ResultDesc } = stkCallback
  const money = amounts.decimalMoneyOf(amountIn(stkCallback), 'KES')
  const paid = statements.chargeOf(timestamp(now), { id, money })
  const statement = code === PAID ? paid : endOf(code, ResultDesc, now)
  return events.eventOf(
    { eventId: [id, code].join(':'), type: `stk ${code}` },
    { references: [addressee, id], statement },
  )
}

/** As yyyyMMddHHmmss in East Africa, three hours ahead of UTC all year. */
const localTime = (now: Date): string =>
  new Date(now.getTime() + 3 * 60 * 60 * 1000).toISOString().replace(/\D/g, '').slice(0, 14)

const isRequest = (reference: string): boolean => reference.startsWith('ws_CO_')

/** Daraja refuses a token with a 404, too. */
const isTokenRefused = ({ status, body }: { status: number; body: string }): boolean =>
  status === 401 || body.includes('404.001.03')

function apiOf({ apiBase, consumerKey, consumerSecret }: Config, { http, now }: ProviderTools) {
  const login = wire.jsonApi(http, apiBase, wire.basic(consumerKey, consumerSecret))
  const ask = async () => {
    const answer = await login.get('/oauth/v1/generate?grant_type=client_credentials')
    const { access_token, expires_in } = wire.readAnswer(Token, answer)
    return { token: access_token, seconds: expires_in }
  }
  return wire.jsonApi(withToken(http, now, ask, isTokenRefused), `${apiBase}/mpesa`, {})
}
type Api = ReturnType<typeof apiOf>

function signedBy({ shortCode, passkey }: Config, now: Date) {
  const time = localTime(now)
  const password = Buffer.from(`${shortCode}${passkey}${time}`).toString('base64')
  return { BusinessShortCode: shortCode, Password: password, Timestamp: time }
}

async function start(
  api: Api,
  access: Config,
  order: PaymentOrder,
  { callback, now }: { callback: string; now: Date },
): Promise<StartedPayment | RefusedPayment> {
  const phone = (order.phone ?? '').replace(/^\+/, '')
  const prompted = { url: null, expiresAt: null }
  try {
    const answer = await api.post('/stkpush/v1/processrequest', {
      ...signedBy(access, now),
      TransactionType: access.till ? 'CustomerBuyGoodsOnline' : 'CustomerPayBillOnline',
      Amount: Number(amounts.decimalTextOf(order, 0)),
      PartyA: phone,
      PartyB: access.till ?? access.shortCode,
      PhoneNumber: phone,
      CallBackURL: callback,
      AccountReference: order.id.slice(-12),
      TransactionDesc: order.purpose.slice(0, 13),
    })
    const refused = wire.refusalOf(answer, Reason)
    if (refused) return refused
    return { ...prompted, references: [wire.readExactAnswer(Started, answer).CheckoutRequestID] }
  } catch (error) {
    if (!mayHaveArrived(error)) throw error
    return { ...prompted, references: [], unanswered: error }
  }
}

/** Queries the prompt of a payment. The query names no sum: the prompt's own counts, which the payer cannot change. */
async function read(
  api: Api,
  access: Config,
  { references, payment }: PaymentQuestion,
  now: Date,
): Promise<PaymentReading | null> {
  const id = payment?.references.find(isRequest) ?? references.find(isRequest)
  if (!payment || !id) return null
  const request = { ...signedBy(access, now), CheckoutRequestID: id }
  const answer = await api.post('/stkpushquery/v1/query', request, {}, { answersWith: [500] })
  const reading = { references: [payment.id, id] }
  if (answer.status === 500 && answer.body.includes('being processed')) return statements.readingOf(reading)
  const queried = wire.readFoundExactly(Queried, answer)
  if (!queried) return null
  const { ResultCode: code, ResultDesc } = queried
  if (code === IN_PROGRESS) return statements.readingOf(reading)
  const { amount, currency } = payment
  const paid = statements.chargeOf(timestamp(now), { id, money: { amount, currency } })
  return statements.readingOf({ ...reading, charges: [code === PAID ? paid : endOf(code, ResultDesc, now)] })
}

/**
 * M-Pesa Express: a prompt on the payer's phone. Callbacks are not signed at all: they are believed in what the
 * query of the same request confirms, and only for a request that we were given. No official text could be read: from
 * secondary sources and general knowledge, so try it in the sandbox first. Each prompt is answered to an address that
 * only M-Pesa knows and that names the payment, so that one whose request we never learnt, because the answer to it was
 * lost, still counts. There is no idempotency key, and a repeated request is a second prompt: where the answer was lost
 * the payer is not asked again, and the payment ends by its callback or expires. A prompt cannot be taken back.
 * Reversals need credentials of an initiator and are made at the provider, which shows none of them.
 */
export const provider = defineProvider({
  config,
  open: (access, tools) => {
    const { now, callbackUrl } = tools
    const api = apiOf(access, tools)
    const tokenOf = (paymentId: string) =>
      signatures.hmac('sha256', access.consumerSecret, [paymentId], 'hex')
    const addresseeOf = ({ rawQuery }: CallbackRequest) => {
      const query = new URLSearchParams(rawQuery)
      const payment = query.get('payment') ?? ''
      return signatures.sameText(query.get('token') ?? '', tokenOf(payment)) ? payment : null
    }
    return {
      currencies: ['KES'],
      limits: LIMITS,
      countries: ['KE'],
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"ResultCode":0,"ResultDesc":"Accepted"}',
      },
      asksOnPhone: true,
      verify: () => 'unsigned',
      interpret: (request) => [interpret(request.rawBody, addresseeOf(request), now())],
      refuses: (order) =>
        amounts.decimalTextOf(order, 0) === undefined ? 'must be a whole number of shillings' : undefined,
      start: (order) => {
        const query = new URLSearchParams({ payment: order.id, token: tokenOf(order.id) })
        return start(api, access, order, { callback: `${callbackUrl}?${query}`, now: now() })
      },
      readPayment: (question) => read(api, access, question, now()),
    }
  },
})

/** The bounds of one M-Pesa transaction; from secondary sources. */
const LIMITS = amounts.limitsOf({ KES: ['1', '250000'] })
