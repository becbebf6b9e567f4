import * as z from 'zod'
import { timestamp } from '#lib/kernel/clock'
import type { Currency } from '#lib/kernel/money'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as statements from '../provider/kit/statements.ts'
import type { ProviderEvent } from '../provider/provider.ts'

const config = z.object({
  apiUser: settings.secret,
  apiKey: settings.secret,
  subscriptionKey: settings.secret,
  targetEnvironment: settings.secret,
  apiBase: settings.apiBase('https://proxy.momoapi.mtn.com'),
})

const text = z.string().nullish()

/** A callback, and what the API answers; numbers as their text. */
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

const Token = z.object({ access_token: z.string().min(1) })

function statementOf({ status, amount, currency, reason }: Transfer, now: Date): Statement | null {
  const at = timestamp(now)
  if (status === 'SUCCESSFUL')
    return { kind: 'succeeded', at, money: amounts.decimalMoneyOf(amount, currency) }
  if (status !== 'FAILED') return null
  const { code, message } = typeof reason === 'string' ? { code: reason, message: null } : (reason ?? {})
  if (code === 'EXPIRED') return { kind: 'expired', at }
  return statements.failed(at, { code, message })
}

function eventOf(transfer: Transfer, now: Date): ProviderEvent {
  const { externalId, financialTransactionId, status, amount, currency } = transfer
  const eventId = [externalId, status, financialTransactionId, amount, currency].join(':')
  const told = { references: [externalId, financialTransactionId], statement: statementOf(transfer, now) }
  return events.eventOf({ eventId, type: `requesttopay ${status}` }, told)
}

function translate(rawBody: Buffer, now: Date): ProviderEvent {
  const transfer = Transfer.safeParse(events.exactJsonOf(rawBody))
  return transfer.success ? eventOf(transfer.data, now) : events.unreadable(rawBody, transfer.error)
}

const REFUND_STATES: Partial<Record<string, 'succeeded' | 'failed'>> = {
  SUCCESSFUL: 'succeeded',
  FAILED: 'failed',
}

/** The sandbox takes euros, and nothing else. */
const currenciesOf = (targetEnvironment: string): readonly Currency[] =>
  targetEnvironment === 'sandbox'
    ? ['EUR']
    : ['GHS', 'GNF', 'LRD', 'RWF', 'SZL', 'UGX', 'XAF', 'XOF', 'ZAR', 'ZMW']

/**
 * MTN Mobile Money: a prompt on the payer's phone. Callbacks, by `POST` or `PUT`, are not signed, as documented: they
 * are believed in what the API says of the same request. Requests and states are from secondary sources and
 * general knowledge: try them in the sandbox first. A request's id is made of our own, so that asking twice is
 * asking once, and needs no keeping. A refund belongs to another product, which the subscription has to cover.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ apiUser, apiKey, subscriptionKey, targetEnvironment, apiBase }, { http, now, callbackUrl }) => {
    const subscribed = { 'ocp-apim-subscription-key': subscriptionKey }
    const api = async (product: 'collection' | 'disbursement') => {
      const login = wire.jsonApi(http, `${apiBase}/${product}`, {
        ...subscribed,
        ...wire.basic(apiUser, apiKey),
      })
      const { access_token } = wire.answered(Token, await login.post('/token/', {}, {}))
      return wire.jsonApi(http, `${apiBase}/${product}/v1_0`, {
        ...subscribed,
        authorization: `Bearer ${access_token}`,
        'x-target-environment': targetEnvironment,
      })
    }
    return {
      currencies: currenciesOf(targetEnvironment),
      countries: ['BJ', 'CG', 'CI', 'CM', 'GH', 'GN', 'LR', 'RW', 'SZ', 'UG', 'ZA', 'ZM'],
      methods: ['POST', 'PUT'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      asksOnPhone: true,
      verify: () => 'nobody',
      translate: ({ rawBody }) => [translate(rawBody, now())],
      start: async (order) => {
        const request = {
          amount: amounts.decimalTextOf(order),
          currency: order.currency,
          externalId: order.id,
          payer: { partyIdType: 'MSISDN', partyId: (order.phone ?? '').replace(/^\+/, '') },
          payerMessage: order.purpose,
          payeeNote: order.purpose,
        }
        const keyed = { 'x-reference-id': wire.uuidOf(order.id), 'x-callback-url': callbackUrl }
        const answer = await (await api('collection')).post('/requesttopay', request, keyed)
        if (!isKnown(answer)) wire.taken(answer)
        return { url: null, expiresAt: null, references: [wire.uuidOf(order.id)] }
      },
      ask: async ({ payment }) => {
        if (!payment) return []
        const path = `/requesttopay/${wire.uuidOf(payment.id)}`
        const transfer = wire.foundIn(Transfer, await (await api('collection')).get(path))
        return transfer ? [eventOf({ ...transfer, externalId: payment.id }, now())] : []
      },
      findsRefunds: true,
      refund: async ({ id, payment, amount, currency }) => {
        const request = {
          amount: amounts.decimalTextOf({ amount, currency }),
          currency,
          externalId: id,
          payerMessage: 'refund',
          payeeNote: 'refund',
          referenceIdToRefund: wire.uuidOf(payment.id),
        }
        const providerRefundId = wire.uuidOf(id)
        const disbursement = await api('disbursement')
        const answer = await disbursement.post('/refund', request, { 'x-reference-id': providerRefundId })
        if (wire.isRefusal(answer)) return wire.REFUSED
        if (!isKnown(answer)) wire.taken(answer)
        const made = wire.foundIn(Transfer, await disbursement.get(`/refund/${providerRefundId}`))
        return { state: events.entryOf(REFUND_STATES, made?.status) ?? 'pending', providerRefundId }
      },
    }
  },
})

/** The same request again: it was taken before. */
const isKnown = ({ status }: { status: number }): boolean => status === 409
