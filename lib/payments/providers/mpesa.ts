import * as z from 'zod'
import { timestamp } from '#lib/kernel/clock'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import type { CallbackRequest, ProviderEvent } from '../provider/provider.ts'
import { mayHaveBeenHeard } from '../provider/undone.ts'

const config = z.object({
  consumerKey: settings.secret,
  consumerSecret: settings.secret,
  shortCode: settings.secret,
  passkey: settings.secret,
  apiBase: settings.apiBase('https://api.safaricom.co.ke'),
})

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

const Token = z.object({ access_token: z.string().min(1) })
const Started = z.object({ CheckoutRequestID: z.string().min(1), ResponseCode: z.literal('0') })
const Queried = z.object({ ResultCode: z.string(), ResultDesc: z.string().nullish() })

const PAID = '0'
const CANCELLED_BY_USER = '1032'
/** The prompt is still open, where the query does not say so by a 500; general knowledge. */
const IN_PROGRESS = '4999'

/** Each prompt ends once: what is no success is final. */
function endOf(code: string, description: string | null | undefined, now: Date): Statement {
  const at = timestamp(now)
  if (code === CANCELLED_BY_USER) return { kind: 'cancelled', at }
  return statements.failed(at, { code, message: description })
}

/** The list is looked up by name: items may be absent, or have no value. */
const amountIn = ({ CallbackMetadata }: StkCallback): string | null => {
  const value = CallbackMetadata?.Item.find(({ Name }) => Name === 'Amount')?.Value
  return typeof value === 'string' ? value : null
}

/** A claim, known by the request that it ends, and by the payment where the address that it came to names one. */
function translate(rawBody: Buffer, addressee: string | null, now: Date): ProviderEvent {
  const callback = Callback.safeParse(events.exactJsonOf(rawBody))
  if (!callback.success) return events.unreadable(rawBody, callback.error)
  const { stkCallback } = callback.data.Body
  const { CheckoutRequestID: id, ResultCode: code, ResultDesc } = stkCallback
  const amount = amountIn(stkCallback)
  const paid: Statement = {
    kind: 'succeeded',
    at: timestamp(now),
    money: amounts.decimalMoneyOf(amount, 'KES'),
  }
  const statement = code === PAID ? paid : endOf(code, ResultDesc, now)
  return events.eventOf(
    { eventId: [id, code, amount].join(':'), type: `stk ${code}` },
    { references: [addressee, id], statement },
  )
}

/** As yyyyMMddHHmmss in East Africa, three hours ahead of UTC all year. */
const localTime = (now: Date): string =>
  new Date(now.getTime() + 3 * 60 * 60 * 1000).toISOString().replace(/\D/g, '').slice(0, 14)

const isRequest = (reference: string): boolean => reference.startsWith('ws_CO_')

/**
 * M-Pesa Express: a prompt on the payer's phone. Callbacks are not signed at all: they are believed in what the
 * query of the same request confirms, and only for a request that we were given. The query names no amount: a
 * claimed one is compared, else the prompt's own counts, which the payer cannot change. No official text could
 * be read: from secondary sources and general knowledge, so try it in the sandbox first. Each prompt is answered to an
 * address that only M-Pesa is told and that names the payment, so that one whose request we never learnt, because
 * the answer to it was lost, still counts. There is no idempotency key, and a repeated request is a second prompt:
 * where the answer was lost the payer is not asked again, and the payment ends by its callback or expires.
 * Reversals need credentials of an initiator and are made at the provider.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ consumerKey, consumerSecret, shortCode, passkey, apiBase }, { http, now, callbackUrl }) => {
    const api = async () => {
      const login = wire.jsonApi(http, apiBase, wire.basic(consumerKey, consumerSecret))
      const answer = await login.get('/oauth/v1/generate?grant_type=client_credentials')
      const { access_token } = wire.answered(Token, answer)
      return wire.jsonApi(http, `${apiBase}/mpesa`, { authorization: `Bearer ${access_token}` })
    }
    const signed = () => {
      const time = localTime(now())
      const password = Buffer.from(`${shortCode}${passkey}${time}`).toString('base64')
      return { BusinessShortCode: shortCode, Password: password, Timestamp: time }
    }
    const endOfPrompt = async (id: string) => {
      const request = { ...signed(), CheckoutRequestID: id }
      const answer = await (await api()).post('/stkpushquery/v1/query', request, {}, { answersWith: [500] })
      if (answer.status === 500 && answer.body.includes('being processed')) return undefined
      const queried = wire.foundIn(Queried, answer)
      return queried?.ResultCode === IN_PROGRESS ? undefined : queried
    }
    const tokenOf = (paymentId: string) => signatures.hmac('sha256', consumerSecret, [paymentId], 'hex')
    const addressOf = (payment: string) =>
      `${callbackUrl}?${new URLSearchParams({ payment, token: tokenOf(payment) })}`
    const addresseeOf = ({ rawQuery }: CallbackRequest) => {
      const query = new URLSearchParams(rawQuery)
      const payment = query.get('payment') ?? ''
      return signatures.sameText(query.get('token') ?? '', tokenOf(payment)) ? payment : null
    }
    return {
      currencies: ['KES'],
      countries: ['KE'],
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"ResultCode":0,"ResultDesc":"Accepted"}',
      },
      asksOnPhone: true,
      verify: () => 'nobody',
      translate: (request) => [translate(request.rawBody, addresseeOf(request), now())],
      refuses: (order) =>
        amounts.decimalTextOf(order, 0) === undefined ? 'must be a whole number of shillings' : undefined,
      start: async (order) => {
        const phone = (order.phone ?? '').replace(/^\+/, '')
        const prompted = { url: null, expiresAt: null }
        const { post } = await api()
        try {
          const answer = await post('/stkpush/v1/processrequest', {
            ...signed(),
            TransactionType: 'CustomerPayBillOnline',
            Amount: Number(amounts.decimalTextOf(order, 0)),
            PartyA: phone,
            PartyB: shortCode,
            PhoneNumber: phone,
            CallBackURL: addressOf(order.id),
            AccountReference: order.id.slice(-12),
            TransactionDesc: order.purpose.slice(0, 13),
          })
          return { ...prompted, references: [wire.answeredExactly(Started, answer).CheckoutRequestID] }
        } catch (error) {
          if (!mayHaveBeenHeard(error)) throw error
          return { ...prompted, references: [], unanswered: error }
        }
      },
      ask: async ({ references, payment, claim }) => {
        const id = references.find(isRequest)
        if (!payment || !id) return []
        const queried = await endOfPrompt(id)
        if (!queried) return []
        const { ResultCode: code, ResultDesc } = queried
        const { amount, currency } = payment
        const claimed = claim?.statement?.kind === 'succeeded' ? claim.statement.money : { amount, currency }
        const paid: Statement = { kind: 'succeeded', at: timestamp(now()), money: claimed }
        const statement = code === PAID ? paid : endOf(code, ResultDesc, now())
        const sum = claimed && amounts.decimalTextOf(claimed, 0)
        const eventId = [id, code, code === PAID ? sum : null].join(':')
        return [events.eventOf({ eventId, type: `stk ${code}` }, { references: [payment.id, id], statement })]
      },
    }
  },
})
