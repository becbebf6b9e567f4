import * as z from 'zod'
import { HOUR_MILLISECONDS, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PayoutId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import { isAnswerLost } from '../failed-request.ts'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import * as transfers from '../kit/payouts.ts'
import * as statements from '../kit/statements.ts'
import { withToken } from '../kit/tokens.ts'
import { numberOf, type PayoutState, type ProviderPayouts } from '../payout-port.ts'
import {
  type CallbackRequest,
  defineProvider,
  type PaymentOrder,
  type PaymentQuestion,
  type ProviderEvent,
  type ProviderHttp,
  type ProviderTools,
  type RefusedPayment,
  type StartedPayment,
} from '../provider.ts'

const PAYOUT_KEYS = ['initiatorName', 'securityCredential']

const config = z
  .object({
    consumerKey: settings.secret,
    consumerSecret: settings.secret,
    shortCode: settings.identifier,
    passkey: settings.secret,
    /** The number of the till that receives the money; without it the short code, a pay bill, receives it. */
    till: settings.identifier.optional(),
    payouts: settings.payouts,
    /** Who pays out for the short code, and their password as M-Pesa's certificate encrypts it. */
    initiatorName: settings.identifier.optional(),
    securityCredential: settings.secret.optional(),
    apiBase: settings.apiBase('https://api.safaricom.co.ke'),
  })
  .superRefine(settings.requireToPayOut(...PAYOUT_KEYS))
type Config = z.output<typeof config>

/** Numbers as their text: the result code is a number in a callback and a text in an answer. */
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

/** The result of a transfer or of a status query. The address that it comes to tells which of the two it is. */
const Result = z.object({
  Result: z.object({
    ResultType: z.string().nullish(),
    ResultCode: z.string(),
    ResultDesc: z.string().nullish(),
    OriginatorConversationID: z.string().nullish(),
    TransactionID: z.string().nullish(),
    ResultParameters: z
      .object({ ResultParameter: z.array(z.object({ Key: z.string(), Value: z.unknown().optional() })) })
      .nullish()
      .catch(null),
  }),
})
type Result = z.infer<typeof Result>['Result']

const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().catch(0) })
const Started = z.object({ CheckoutRequestID: z.string().min(1), ResponseCode: z.literal('0') })
const Accepted = z.object({ ResponseCode: z.string(), ResponseDescription: z.string().nullish() })
const Queried = z.object({ ResultCode: z.string(), ResultDesc: z.string().nullish() })
const Reason = z
  .object({ errorCode: z.string().nullish(), errorMessage: z.string().nullish() })
  .transform(({ errorCode: code, errorMessage: message }) => ({ code, message }))

const SUCCESS = '0'
const CANCELLED_BY_USER = '1032'
/** The prompt is still open, where the query does not say so by a 500; not documented. */
const IN_PROGRESS = '4999'

/** Interprets the end of a prompt without success. Each prompt ends once, so this end is final. */
function endOf(
  code: string,
  description: string | null | undefined,
  now: Date,
): StatementOf<'cancelled' | 'failed'> {
  const at = timestamp(now)
  if (code === CANCELLED_BY_USER) return { kind: 'cancelled', at }
  return statements.failureOf(at, { code, message: description })
}

/** Returns the amount in a callback's list of named items, which may be absent or have no value. */
const amountIn = ({ CallbackMetadata }: StkCallback): string | null => {
  const value = CallbackMetadata?.Item.find(({ Name }) => Name === 'Amount')?.Value
  return typeof value === 'string' ? value : null
}

/**
 * Interprets a callback as a claim about a request, and about the payment if the callback's address names one. Anyone may
 * have sent it: only what the query confirms is stored.
 */
function interpret(rawBody: Buffer, paymentId: string | null, now: Date): ProviderEvent {
  const json = events.jsonWithTextNumbers(rawBody)
  const result = Result.safeParse(json)
  if (result.success) return pointerEvent(rawBody, result.data.Result)
  const callback = Callback.safeParse(json)
  if (!callback.success) return events.unreadableEvent(rawBody, callback.error)
  const { stkCallback } = callback.data.Body
  const { CheckoutRequestID: id, ResultCode: code, ResultDesc } = stkCallback
  const money = amounts.decimalMoneyOf(amountIn(stkCallback), 'KES')
  const paid = statements.chargeOf(timestamp(now), { id, money })
  const statement = code === SUCCESS ? paid : endOf(code, ResultDesc, now)
  return events.eventOf(
    { eventId: [id, code].join(':'), type: `stk ${code}` },
    { references: [paymentId, id], statement },
  )
}

/** Interprets a transfer's result that came to no address of a payout: it only points at the payout that it names. */
function pointerEvent(
  rawBody: Buffer,
  { OriginatorConversationID: id, ResultCode: code }: Result,
): ProviderEvent {
  const payout = transfers.ownPayoutId(id)
  const eventId = payout ? ['b2c', id, code].join(':') : signatures.sha256(rawBody)
  return transfers.payoutEventOf({ eventId, type: `b2c ${code}` }, payout)
}

const parameterIn = ({ ResultParameters }: Result, name: string): string | null => {
  const value = ResultParameters?.ResultParameter.find(({ Key }) => Key === name)?.Value
  return typeof value === 'string' ? value : null
}

const WAITS_FOR_MORE = '1'

/** Returns the state of a transfer by its result: each transfer ends once, and every failure is final. */
function transferState(result: Result): PayoutState {
  const { ResultType, ResultCode: code, ResultDesc: message, TransactionID } = result
  if (ResultType === WAITS_FOR_MORE) return transfers.payoutState('pending', null)
  if (code === SUCCESS)
    return transfers.payoutState('paid', parameterIn(result, 'TransactionReceipt') ?? TransactionID)
  return transfers.payoutState('failed', null, { code, message })
}

/** M-Pesa's names for the states of an ended transaction. Daraja docs, "Transaction Status". */
const TRANSACTION_STATES: Partial<Record<string, PayoutState['state']>> = {
  Completed: 'paid',
  Cancelled: 'failed',
  Declined: 'failed',
  Expired: 'failed',
}

/** Returns the state of a transfer by a status query. For a query that failed it is `asked`, which changes nothing. */
function statusState(result: Result): PayoutState {
  const status = parameterIn(result, 'TransactionStatus')
  const state = result.ResultCode === SUCCESS ? events.entryOf(TRANSACTION_STATES, status) : undefined
  if (state === undefined) return transfers.payoutState('asked', null)
  return transfers.payoutState(state, parameterIn(result, 'ReceiptNo'), { code: status })
}

/** The purpose of a payout's address: the end of its transfer, the answer to a status query, or a timeout of either. */
const SUBJECTS = ['transfer', 'status', 'timeout'] as const
type Subject = (typeof SUBJECTS)[number]
type PayoutAddress = { id: PayoutId; subject: Subject }

/** Interprets a result that came to an address which only M-Pesa knows, and which names the payout. */
function interpretResult(rawBody: Buffer, { id, subject }: PayoutAddress): ProviderEvent {
  const parsed = Result.safeParse(events.jsonWithTextNumbers(rawBody))
  if (subject === 'timeout' || !parsed.success) {
    return transfers.payoutEventOf({ eventId: signatures.sha256(rawBody), type: `b2c ${subject}` }, id)
  }
  const { Result: result } = parsed.data
  const state = subject === 'transfer' ? transferState(result) : statusState(result)
  const eventId = [subject, id, result.ResultCode, state.state].join(':')
  const identity = { eventId, type: `b2c ${subject} ${result.ResultCode}` }
  return transfers.payoutEventOf(identity, id, { state, isAnswer: subject === 'status' })
}

/** Returns a time as `yyyyMMddHHmmss` in East Africa, three hours ahead of UTC all year. */
const localTime = (now: Date): string =>
  new Date(now.getTime() + 3 * HOUR_MILLISECONDS).toISOString().replace(/\D/g, '').slice(0, 14)

/** Returns an amount in shillings. Orders with a fraction of a shilling were refused before. */
const shillingsOf = (order: Money): number => Number(amounts.decimalTextOf(order, 0))

const isRequest = (reference: string): boolean => reference.startsWith('ws_CO_')

/** Daraja's codes for a refused token: it answers them with a 400 and a 404. */
const TOKEN_REFUSED = /"40(0\.003\.01|4\.001\.03)"/

/** Returns every refusal of a token as a 401: it says nothing of the request, and the next one asks for another token. */
const withTokenRefusals =
  (http: ProviderHttp): ProviderHttp =>
  async (request) => {
    const answer = await http(request)
    return TOKEN_REFUSED.test(answer.body) ? { ...answer, status: 401 } : answer
  }

function apiOf({ apiBase, consumerKey, consumerSecret }: Config, { http, now }: ProviderTools) {
  const login = wire.jsonApi(http, apiBase, wire.basic(consumerKey, consumerSecret))
  const ask = async () => {
    const answer = await login.get('/oauth/v1/generate?grant_type=client_credentials')
    const { access_token, expires_in } = wire.readAnswer(Token, answer)
    return { token: access_token, seconds: expires_in }
  }
  return wire.jsonApi(withToken(withTokenRefusals(http), now, ask), `${apiBase}/mpesa`, {})
}
type Api = ReturnType<typeof apiOf>

/** The most characters that a prompt takes in its two texts. */
const ACCOUNT_REFERENCE_MAX = 12
const TRANSACTION_DESC_MAX = 13

function credentialsAt({ shortCode, passkey }: Config, now: Date) {
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
      ...credentialsAt(access, now),
      TransactionType: access.till ? 'CustomerBuyGoodsOnline' : 'CustomerPayBillOnline',
      Amount: shillingsOf(order),
      PartyA: phone,
      PartyB: access.till ?? access.shortCode,
      PhoneNumber: phone,
      CallBackURL: callback,
      AccountReference: order.id.slice(-ACCOUNT_REFERENCE_MAX),
      TransactionDesc: order.purpose.slice(0, TRANSACTION_DESC_MAX),
    })
    const refused = wire.refusalOf(answer, Reason)
    if (refused) return refused
    return { ...prompted, references: [wire.readAnswerWithTextNumbers(Started, answer).CheckoutRequestID] }
  } catch (error) {
    if (!isAnswerLost(error)) throw error
    return { ...prompted, references: [], unanswered: error }
  }
}

/** Queries the prompt of a payment. The answer has no sum: the prompt's sum is taken, which the payer cannot change. */
async function read(
  api: Api,
  access: Config,
  { references, payment }: PaymentQuestion,
  now: Date,
): Promise<PaymentReading | null> {
  const id = payment?.references.find(isRequest) ?? references.find(isRequest)
  if (!payment || !id) return null
  const request = { ...credentialsAt(access, now), CheckoutRequestID: id }
  // An open prompt is answered with a 500.
  const options = { ...wire.RETRY, answersWith: [500] }
  const answer = await api.post('/stkpushquery/v1/query', request, undefined, options)
  const reading = { references: [payment.id, id] }
  if (answer.status === 500 && answer.body.includes('being processed')) return statements.readingOf(reading)
  const queried = wire.readFoundWithTextNumbers(Queried, answer)
  if (!queried) return null
  const { ResultCode: code, ResultDesc } = queried
  if (code === IN_PROGRESS) return statements.readingOf(reading)
  const { amount, currency } = payment
  const paid = statements.chargeOf(timestamp(now), { id, money: { amount, currency } })
  return statements.readingOf({
    ...reading,
    charges: [code === SUCCESS ? paid : endOf(code, ResultDesc, now)],
  })
}

type Addresses = (
  id: PayoutId,
  subject: Exclude<Subject, 'timeout'>,
) => { ResultURL: string; QueueTimeOutURL: string }

/** Business to customer, to M-Pesa's accounts in Kenya alone. All answers come to addresses of ours, later. */
function payoutsOf(api: Api, access: Config, addresses: Addresses): ProviderPayouts {
  const { initiatorName, securityCredential: SecurityCredential, shortCode } = access
  return {
    currencies: ['KES'],
    takes: ({ network, country, currency }) => network === 'mpesa' && country === 'KE' && currency === 'KES',
    limits: PAYOUT_LIMITS,
    smallestUnitOf: () => A_SHILLING,
    start: async (order) => {
      const request = {
        OriginatorConversationID: order.id,
        InitiatorName: initiatorName,
        SecurityCredential,
        CommandID: 'BusinessPayment',
        Amount: shillingsOf(order),
        PartyA: shortCode,
        PartyB: transfers.digitsOf(numberOf(order.target)),
        Remarks: 'Payout',
        ...addresses(order.id, 'transfer'),
        Occasion: 'Payout',
      }
      const answer = await api.post('/b2c/v3/paymentrequest', request, undefined, wire.NO_RETRY)
      const refused = transfers.refusedPayout(answer, Reason)
      if (refused) return refused
      const { ResponseCode: code, ResponseDescription: message } = wire.readAnswerWithTextNumbers(
        Accepted,
        answer,
      )
      return transfers.payoutState(code === SUCCESS ? 'pending' : 'failed', null, { code, message })
    },
    read: async ({ id, reference }) => {
      const request = {
        Initiator: initiatorName,
        SecurityCredential,
        CommandID: 'TransactionStatusQuery',
        ...(reference ? { TransactionID: reference } : { OriginalConversationID: id }),
        PartyA: shortCode,
        IdentifierType: SHORT_CODE,
        Remarks: 'Payout',
        ...addresses(id, 'status'),
        Occasion: 'Payout',
      }
      const answer = await api.post('/transactionstatus/v1/query', request)
      const { ResponseCode: code } = wire.readAnswerWithTextNumbers(Accepted, answer)
      if (code !== SUCCESS)
        throw new DomainError('provider_unavailable', { cause: `M-Pesa answered ${code}` })
      return transfers.payoutState('asked', null)
    },
  }
}

/** A shilling in minor units: M-Pesa moves whole shillings alone. */
const A_SHILLING = 100
/** The identifier type of `PartyA` in a status query. */
const SHORT_CODE = '4'

/**
 * M-Pesa Express: a prompt on the payer's phone. Callbacks are not signed: only what a query of the same request
 * confirms is believed. No official document could be read: all of this is from secondary sources, so try it in the
 * sandbox first. Each prompt is answered to an address that only M-Pesa knows and that names the payment, so that a
 * request whose answer was lost still counts. There is no idempotency key, and a repeated request is a second prompt:
 * after a lost answer the payer is not asked again, and the payment ends by its callback or expires. A prompt cannot be
 * taken back. Reversals need credentials of an initiator and are made at the provider, which shows none of them.
 * Payouts are as in copies of Daraja's documents: a transfer and the query of its result are both answered later, at
 * addresses of ours. Each carries a token that is made for that payout and that answer alone, so that only
 * M-Pesa can send to it. A result that comes elsewhere may be a stranger's: it is not believed, and M-Pesa is asked.
 */
export const provider = defineProvider({
  config,
  // The rule of `requireToPayOut` above, for the check of all configurations at a cold start, which loads no provider.
  needs: settings.neededToPayOut(...PAYOUT_KEYS),
  open: (access, tools) => {
    const { now, callbackUrl } = tools
    const api = apiOf(access, tools)
    const tokenOf = (paymentId: string) =>
      signatures.hmac('sha256', access.consumerSecret, [paymentId], 'hex')
    const payoutTokenOf = (id: PayoutId, subject: Subject) => tokenOf(`${subject} ${id}`)
    const addresses: Addresses = (id, subject) => {
      const query = (answers: Subject) =>
        new URLSearchParams({ payout: id, answers, token: payoutTokenOf(id, answers) })
      return {
        ResultURL: `${callbackUrl}?${query(subject)}`,
        QueueTimeOutURL: `${callbackUrl}?${query('timeout')}`,
      }
    }
    const payoutOf = ({ rawQuery }: CallbackRequest): PayoutAddress | undefined => {
      const query = new URLSearchParams(rawQuery)
      const id = transfers.ownPayoutId(query.get('payout'))
      const subject = SUBJECTS.find((each) => each === query.get('answers'))
      if (!id || !subject) return undefined
      const isKnown = signatures.sameText(query.get('token') ?? '', payoutTokenOf(id, subject))
      return isKnown ? { id, subject } : undefined
    }
    const paymentIdOf = ({ rawQuery }: CallbackRequest) => {
      const query = new URLSearchParams(rawQuery)
      const paymentId = query.get('payment') ?? ''
      return signatures.sameText(query.get('token') ?? '', tokenOf(paymentId)) ? paymentId : null
    }
    return {
      currencies: ['KES'],
      limits: LIMITS,
      countries: ['KE'],
      callbackMethods: ['POST'],
      acknowledgement: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"ResultCode":0,"ResultDesc":"Accepted"}',
      },
      asksOnPhone: true,
      verify: (request) => (payoutOf(request) ? 'signed' : 'unsigned'),
      interpret: (request) => {
        const payout = payoutOf(request)
        if (payout) return [interpretResult(request.rawBody, payout)]
        return [interpret(request.rawBody, paymentIdOf(request), now())]
      },
      refuses: (order) =>
        amounts.decimalTextOf(order, 0) === undefined ? 'must be a whole number of shillings' : undefined,
      start: (order) => {
        const query = new URLSearchParams({ payment: order.id, token: tokenOf(order.id) })
        return start(api, access, order, { callback: `${callbackUrl}?${query}`, now: now() })
      },
      ...(access.payouts && { payouts: payoutsOf(api, access, addresses) }),
      readPayment: (question) => read(api, access, question, now()),
    }
  },
})

/** The bounds of one M-Pesa transaction; from secondary sources. */
const LIMITS = amounts.limitsOf({ KES: ['1', '250000'] })
const PAYOUT_LIMITS = amounts.limitsOf({ KES: ['10', '250000'] })
