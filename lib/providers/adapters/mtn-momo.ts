import * as z from 'zod'
import { timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import * as transfers from '../kit/payouts.ts'
import * as statements from '../kit/statements.ts'
import { withToken } from '../kit/tokens.ts'
import { numberOf, type PayoutState, type ProviderPayouts } from '../payout-port.ts'
import {
  defineProvider,
  type PaymentQuestion,
  type ProviderEvent,
  type ProviderTools,
  type RefundOrder,
  type StartedRefund,
} from '../provider.ts'

/** The access to one of MTN's products. */
const product = {
  apiUser: settings.identifier,
  apiKey: settings.secret,
  subscriptionKey: settings.secret,
}

const config = z
  .object({
    ...product,
    /** The name of an environment, not a secret: it has the same bounds. */
    targetEnvironment: settings.identifier,
    /** The product that refunds and payouts belong to; without it there are none. */
    disbursement: z.object(product).optional(),
    payouts: settings.payouts,
    apiBase: settings.apiBase('https://proxy.momoapi.mtn.com'),
  })
  .superRefine(settings.requireToPayOut('disbursement'))
type Config = z.output<typeof config>

const text = z.string().nullish()

/** A callback, and the API's answer about a request to pay or a refund; numbers as their text. */
const Transfer = z.object({
  externalId: text,
  financialTransactionId: text,
  amount: text,
  currency: text,
  status: z.string(),
  reason: z
    .union([z.string(), z.object({ code: text, message: text })])
    .nullish()
    .catch(null),
})
type Transfer = z.infer<typeof Transfer>

/** A life that cannot be read is 0 seconds: the token then serves one request. */
const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().catch(0) })
const Reason = z.object({ code: text, message: text })

const moneyOf = ({ amount, currency }: Transfer) => amounts.decimalMoneyOf(amount, currency)

/** Interprets a request to pay. It is paid once: its own id, which MTN does not repeat, is that of the charge. */
function chargeState(
  transfer: Transfer,
  requestId: string,
  now: Date,
): PaymentReading['charges'][number] | null {
  const at = timestamp(now)
  const { status } = transfer
  if (status === 'SUCCESSFUL') return statements.chargeOf(at, { id: requestId, money: moneyOf(transfer) })
  if (status !== 'FAILED') return null
  const { code, message } = reasonOf(transfer)
  const kind = events.entryOf(ENDED, code)
  return kind ? { kind, at } : statements.failureOf(at, { code, message })
}

const reasonOf = ({ reason }: Transfer) =>
  typeof reason === 'string' ? { code: reason, message: null } : (reason ?? {})

/** Reasons of a `FAILED` that are no failures. MTN docs, "Common Error Codes". */
const ENDED: Partial<Record<string, 'expired' | 'cancelled'>> = {
  EXPIRED: 'expired',
  TRANSACTION_CANCELED: 'cancelled',
}

/** A claim about a request to pay. One about a refund names no payment: the refund is read when it is due. */
function interpret(rawBody: Buffer, now: Date): ProviderEvent {
  const transfer = Transfer.safeParse(events.jsonWithTextNumbers(rawBody))
  if (!transfer.success) return events.unreadableEvent(rawBody, transfer.error)
  const { externalId, financialTransactionId, status, amount, currency } = transfer.data
  const identity = {
    eventId: [externalId, status, financialTransactionId, amount, currency].join(':'),
    type: `requesttopay ${status}`,
  }
  const payout = transfers.ownPayoutId(externalId)
  if (payout) return transfers.payoutEventOf(identity, payout, { state: payoutState(transfer.data) })
  const own = statements.exceptOwnRefund(externalId)
  if (!own) return events.eventOf(identity, events.NO_PAYMENT)
  return events.eventOf(identity, {
    references: [own, financialTransactionId],
    statement: chargeState(transfer.data, wire.uuidOf(own), now),
  })
}

const PAYOUT_STATES: Partial<Record<string, PayoutState['state']>> = {
  SUCCESSFUL: 'paid',
  FAILED: 'failed',
}

const payoutState = (transfer: Transfer): PayoutState =>
  transfers.payoutState(
    events.entryOf(PAYOUT_STATES, transfer.status) ?? 'pending',
    transfer.financialTransactionId,
    reasonOf(transfer),
  )

const REFUND_STATES: Partial<Record<string, StartedRefund['state']>> = {
  SUCCESSFUL: 'succeeded',
  FAILED: 'failed',
}

const refundOf = (refund: Transfer, key: string, chargeId: string, now: Date): StatementOf<'refund'> =>
  statements.refundOf(timestamp(now), {
    id: wire.uuidOf(key),
    money: moneyOf(refund),
    state: events.entryOf(REFUND_STATES, refund.status) ?? 'pending',
    chargeId,
    ours: key,
  })

/** The one currency and country of each target environment. MTN docs, "Common Error Codes", lists all but Guinea-Bissau. */
const ENVIRONMENTS: Partial<Record<string, [Currency, string]>> = {
  mtnbenin: ['XOF', 'BJ'],
  mtncameroon: ['XAF', 'CM'],
  mtncongo: ['XAF', 'CG'],
  mtnghana: ['GHS', 'GH'],
  mtnguineabissau: ['XOF', 'GW'],
  mtnguineaconakry: ['GNF', 'GN'],
  mtnivorycoast: ['XOF', 'CI'],
  mtnliberia: ['LRD', 'LR'],
  mtnnigeria: ['NGN', 'NG'],
  mtnrwanda: ['RWF', 'RW'],
  mtnsouthafrica: ['ZAR', 'ZA'],
  mtnsouthsudan: ['SSP', 'SS'],
  mtnswaziland: ['SZL', 'SZ'],
  mtnuganda: ['UGX', 'UG'],
  mtnzambia: ['ZMW', 'ZM'],
}

const SANDBOX = 'sandbox'

function marketsOf(targetEnvironment: string): [Currency, string][] {
  const known = events.entryOf(ENVIRONMENTS, targetEnvironment)
  return known ? [known] : Object.values(ENVIRONMENTS).flatMap((market) => (market ? [market] : []))
}

/**
 * Returns the currencies and countries of an account. The sandbox takes euros in any country; an environment that is not
 * listed may be in any of the listed countries.
 */
function currenciesAndCountriesOf(targetEnvironment: string): {
  currencies: readonly Currency[]
  countries: readonly string[] | 'any'
} {
  if (targetEnvironment === SANDBOX) return { currencies: ['EUR'], countries: 'any' }
  const markets = marketsOf(targetEnvironment)
  return {
    currencies: [...new Set(markets.map(([currency]) => currency))],
    countries: markets.map(([, country]) => country),
  }
}

/** `NO_RETRY` is for money that goes out. A repeated request to pay is the same request, so that one may be repeated. */
type RequestOptions = { headers?: Record<string, string>; retry?: typeof wire.NO_RETRY }

/** Requests to one product, each with that product's own key and token. */
function apiOf(
  name: 'collection' | 'disbursement',
  { apiUser, apiKey, subscriptionKey }: z.output<z.ZodObject<typeof product>>,
  { apiBase, targetEnvironment }: Config,
  { http, now }: ProviderTools,
) {
  const subscribed = { 'ocp-apim-subscription-key': subscriptionKey }
  const login = wire.jsonApi(http, `${apiBase}/${name}`, { ...subscribed, ...wire.basic(apiUser, apiKey) })
  const authorized = withToken(http, now, async () => {
    const { access_token, expires_in } = wire.readAnswer(
      Token,
      await login.post('/token/', {}, undefined, wire.RETRY),
    )
    return { token: access_token, seconds: expires_in }
  })
  const headers = { ...subscribed, 'x-target-environment': targetEnvironment }
  const api = wire.jsonApi(authorized, `${apiBase}/${name}/v1_0`, headers)
  return {
    /** Asks for money to move. A 500 that is a permanent refusal is returned as a 422. */
    ask: async (path: string, request: unknown, id: string, more?: RequestOptions) => {
      const keyed = { 'x-reference-id': id, ...more?.headers }
      const answer = await api.post(path, request, keyed, { ...more?.retry, answersWith: [500] })
      if (answer.status !== 500) return answer
      const { code } = Reason.safeParse(events.jsonOf(Buffer.from(answer.body))).data ?? {}
      if (!REFUSED_BY_500.includes(code)) wire.requireSuccess(answer)
      return { ...answer, status: 422 }
    },
    find: async (path: string): Promise<Transfer | undefined> =>
      wire.readFoundWithTextNumbers(Transfer, await api.get(path)),
  }
}
type Api = ReturnType<typeof apiOf>

/** Reads a request to pay and, by the keys of ours, its refunds: MTN lists none. */
async function read(
  collection: Api,
  disbursement: Api | undefined,
  { references, payment, refundKeys = [] }: PaymentQuestion,
  now: Date,
): Promise<PaymentReading | null> {
  const own = payment?.id ?? references.find((reference) => PaymentId.safeParse(reference).success)
  if (!own) return null
  const id = wire.uuidOf(own)
  const transfer = await collection.find(`/requesttopay/${id}`)
  if (!transfer) return null
  const state = chargeState(transfer, id, now)
  const isPaid = state?.kind === 'succeeded'
  const keys = isPaid && disbursement ? refundKeys : []
  const refunds = await Promise.all(
    keys.map(async (key) => {
      const refund = await disbursement?.find(`/refund/${wire.uuidOf(key)}`)
      return refund ? [refundOf(refund, key, id, now)] : []
    }),
  )
  return statements.readingOf({
    references: [own, id, transfer.financialTransactionId],
    charges: state ? [state] : [],
    refunds: refunds.flat(),
  })
}

async function startRefund(disbursement: Api, order: RefundOrder): Promise<StartedRefund> {
  const request = {
    amount: amounts.decimalTextOf(order),
    currency: order.currency,
    externalId: order.id,
    payerMessage: 'refund',
    payeeNote: 'refund',
    referenceIdToRefund: wire.uuidOf(order.payment.id),
  }
  const providerRefundId = wire.uuidOf(order.key)
  const answer = await disbursement.ask('/refund', request, providerRefundId, { retry: wire.NO_RETRY })
  if (wire.isRefusal(answer)) return wire.REFUSED
  if (!isKnown(answer)) wire.requireSuccess(answer)
  return { state: 'pending', providerRefundId }
}

/** MTN's transfers, to MTN's own accounts in the countries of the environment alone. */
function payoutsOf(disbursement: Api, targetEnvironment: string, callbackUrl: string): ProviderPayouts {
  const { currencies } = currenciesAndCountriesOf(targetEnvironment)
  const isSandbox = targetEnvironment === SANDBOX
  return {
    currencies,
    takes: ({ network, country, currency }) => {
      if (network !== 'mtn') return false
      if (isSandbox) return currencies.includes(currency)
      return marketsOf(targetEnvironment).some(([own, place]) => own === currency && place === country)
    },
    // A payout may be any number of minor units.
    smallestUnitOf: () => 1,
    start: async (order) => {
      const request = {
        amount: amounts.decimalTextOf(order),
        currency: order.currency,
        externalId: order.id,
        payee: { partyIdType: 'MSISDN', partyId: transfers.digitsOf(numberOf(order.target)) },
        payerMessage: 'payout',
        payeeNote: 'payout',
      }
      const options = { headers: { 'x-callback-url': callbackUrl }, retry: wire.NO_RETRY }
      const answer = await disbursement.ask('/transfer', request, wire.uuidOf(order.id), options)
      const refused = transfers.refusedPayout(answer, Reason)
      if (refused) return refused
      if (!isKnown(answer)) wire.requireSuccess(answer)
      return transfers.payoutState('pending', null)
    },
    read: async ({ id }) => {
      const transfer = await disbursement.find(`/transfer/${wire.uuidOf(id)}`)
      return transfer ? payoutState(transfer) : null
    },
  }
}

/** Codes of a 500 that are permanent refusals. MTN docs, "Common Error Codes". */
const REFUSED_BY_500: readonly unknown[] = [
  'INVALID_CURRENCY',
  'NOT_ENOUGH_FUNDS',
  'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  'PAYEE_NOT_FOUND',
  'PAYER_LIMIT_REACHED',
  'PAYER_NOT_FOUND',
]

/** Whether MTN has already accepted a request with this id. */
const isKnown = ({ status }: { status: number }): boolean => status === 409

/**
 * MTN Mobile Money: a prompt on the payer's phone. Callbacks, by `POST` or `PUT`, are not signed, as documented: what is
 * believed is the API's answer about the same request. Codes of errors, reasons and target environments are as
 * documented. Requests and states are from secondary sources: try them in the sandbox first. The bounds of an amount
 * differ by country and customer. A request's id is derived from our own: a repeated request is the same request, and no
 * id has to be stored. A prompt cannot be taken back. Refunds belong to another product with its own keys, and are read
 * by the ids derived from their keys; refunds made at MTN are not seen. Payouts are transfers of that product, to MTN's
 * own accounts, under an id derived from ours; an ended transfer does not change any more.
 */
export const provider = defineProvider({
  config,
  // For the check of settings before an account is opened; `requireToPayOut` above checks them on opening.
  needs: settings.neededToPayOut(...Object.keys(product).map((key) => `disbursement.${key}`)),
  open: (access, tools) => {
    const { now, callbackUrl } = tools
    const collection = apiOf('collection', access, access, tools)
    const disbursement = access.disbursement && apiOf('disbursement', access.disbursement, access, tools)
    return {
      ...currenciesAndCountriesOf(access.targetEnvironment),
      callbackMethods: ['POST', 'PUT'],
      acknowledgement: events.ACKNOWLEDGED,
      asksOnPhone: true,
      verify: () => 'unsigned',
      interpret: ({ rawBody }) => [interpret(rawBody, now())],
      start: async (order) => {
        const id = wire.uuidOf(order.id)
        const request = {
          amount: amounts.decimalTextOf(order),
          currency: order.currency,
          externalId: order.id,
          payer: { partyIdType: 'MSISDN', partyId: (order.phone ?? '').replace(/^\+/, '') },
          payerMessage: order.purpose,
          payeeNote: order.purpose,
        }
        const headers = { 'x-callback-url': callbackUrl }
        const answer = await collection.ask('/requesttopay', request, id, { headers })
        const refused = wire.refusalOf(answer, Reason)
        if (refused) return refused
        if (!isKnown(answer)) wire.requireSuccess(answer)
        return { url: null, expiresAt: null, references: [id] }
      },
      ...(access.payouts &&
        disbursement && { payouts: payoutsOf(disbursement, access.targetEnvironment, callbackUrl) }),
      readPayment: (question) => read(collection, disbursement, question, now()),
      ...(disbursement && { startRefund: (order: RefundOrder) => startRefund(disbursement, order) }),
    }
  },
})
