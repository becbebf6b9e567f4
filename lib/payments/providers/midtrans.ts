import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import type { ProviderEvent, StartedRefund } from '../provider/provider.ts'

const config = z.object({
  serverKey: settings.secret,
  /** Keys that were in use before: what they signed may still arrive. */
  webhookSecrets: z.array(settings.secret).default([]),
  apiBase: settings.apiBase('https://api.midtrans.com'),
})

const text = z.string().nullish()

const Refund = z.object({
  refund_chargeback_id: text,
  refund_key: text,
  refund_amount: text,
  created_at: text,
  reason: z.string().max(1000).nullish(),
})

/** A notification, and what the status API answers; numbers as their text. */
const Transaction = z.object({
  order_id: z.string().min(1).max(255),
  transaction_id: text,
  transaction_status: z.string(),
  transaction_time: text,
  status_code: z.string(),
  gross_amount: z.string(),
  fraud_status: text,
  currency: z.string().nullish().default('IDR'),
  refund_amount: text,
  refunds: z.array(Refund).nullish(),
})
type Transaction = z.infer<typeof Transaction>

const Signed = z.object({
  order_id: z.string(),
  status_code: z.string(),
  gross_amount: z.string(),
  signature_key: z.string(),
})

const Answer = z.object({ status_code: z.string() })
const Started = z.object({ redirect_url: z.url() })

/** The text that Midtrans puts into a notification: a plain hash that its own key ends, of the values as they are sent. */
export const midtransSignature = (
  serverKey: string,
  { order_id, status_code, gross_amount }: { order_id: string; status_code: string; gross_amount: string },
): string => createHash('sha512').update(`${order_id}${status_code}${gross_amount}${serverKey}`).digest('hex')

/** Times are those of Jakarta. */
const momentOf = (time: string | null | undefined, now: Date): Timestamp =>
  events.momentOf(time && `${time.replace(' ', 'T')}+07:00`, now)

const MONEY_THAT_CAME = ['settlement', 'refund', 'partial_refund', 'chargeback', 'partial_chargeback']

/** Whether a refund will not be made, however often it is asked for. Of the 4xx only these may yet succeed. */
const isRefused = (code: string): boolean => code.startsWith('4') && !['401', '408', '429'].includes(code)

/** A capture that is challenged waits for a decision. */
const isPaid = ({ transaction_status, status_code, fraud_status }: Transaction): boolean =>
  status_code === '200' &&
  (MONEY_THAT_CAME.includes(transaction_status) ||
    (transaction_status === 'capture' && fraud_status === 'accept'))

function stateOf(transaction: Transaction, at: Timestamp): Statement | null {
  const { transaction_status: status, gross_amount, currency } = transaction
  if (isPaid(transaction))
    return { kind: 'succeeded', at, money: amounts.decimalMoneyOf(gross_amount, currency) }
  if (status === 'cancel') return { kind: 'cancelled', at }
  if (status === 'expire') return { kind: 'expired', at }
  if (status === 'pending' || status === 'capture' || status === 'authorize')
    return { kind: 'processing', at }
  if (status !== 'deny' && status !== 'failure') return null
  return statements.failed(at, { code: status })
}

/** What a transaction tells: how it stands, and each refund and dispute of it. */
function eventsOf(transaction: Transaction, now: Date): ProviderEvent[] {
  const {
    order_id,
    transaction_id,
    transaction_status: status,
    status_code,
    currency,
    refund_amount,
  } = transaction
  const at = momentOf(transaction.transaction_time, now)
  const references = [order_id, transaction_id]
  const event = (type: string, key: readonly unknown[], statement: Statement | null) =>
    events.eventOf(
      { eventId: [order_id, transaction_id, type, ...key].join(':'), type },
      { references, statement },
    )

  const refunds = (transaction.refunds ?? []).map((refund) => {
    const { refund_chargeback_id, refund_key, refund_amount: amount, created_at, reason } = refund
    return event(
      'refund',
      [refund_chargeback_id ?? refund_key, amount],
      statements.refundOf(momentOf(created_at, now), {
        id: refund_key || refund_chargeback_id || null,
        money: amounts.decimalMoneyOf(amount, currency),
        state: 'succeeded',
        reason,
        ours: refund_key,
      }),
    )
  })
  // A notification may leave the list out, and give the sum of it alone.
  const total: Statement = {
    kind: 'refunded_total',
    at: timestamp(now),
    money: amounts.decimalMoneyOf(refund_amount, currency),
  }
  const totals =
    refund_amount && refunds.length === 0 ? [event('refund', ['total', refund_amount], total)] : []
  const dispute: Statement = { kind: 'dispute', at, disputeId: transaction_id ?? order_id, state: 'open' }
  const disputes = status.endsWith('chargeback') ? [event('dispute', [], dispute)] : []
  const state = event(status, [status_code, transaction.gross_amount], stateOf(transaction, at))
  return [state, ...refunds, ...totals, ...disputes]
}

function translate(rawBody: Buffer, now: Date): ProviderEvent[] {
  const transaction = Transaction.safeParse(events.exactJsonOf(rawBody))
  return transaction.success
    ? eventsOf(transaction.data, now)
    : [events.unreadable(rawBody, transaction.error)]
}

/**
 * Midtrans' Snap page. A notification holds `signature_key`, a SHA-512 over the order's id, a code and the amount, as
 * documented: a settlement, a refund and a chargeback share one, so the status is asked about. The times of the
 * retries depend on our answer. Refunds and states are partly general knowledge: try them in the sandbox first
 * (`apiBase` `https://api.sandbox.midtrans.com`). An order's id is good for one page: should the answer to the
 * first request be lost, the payment expires rather than be asked for twice.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ serverKey, webhookSecrets, apiBase }, { http, now, publicUrl, callbackUrl }) => {
    const headers = wire.basic(serverKey, '')
    const api = wire.jsonApi(http, `${apiBase}/v2`, headers)
    const snap = wire.jsonApi(http, `${apiBase.replace('://api.', '://app.')}/snap/v1`, headers)
    const find = async (order: string): Promise<Transaction | undefined> => {
      const answer = await api.get(`/${encodeURIComponent(order)}/status`)
      // It also says in the body alone that nobody chose how to pay yet.
      return wire.foundIn(Answer, answer)?.status_code === '404'
        ? undefined
        : wire.foundIn(Transaction, answer)
    }
    return {
      currencies: ['IDR'],
      countries: ['ID'],
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ rawBody }) => {
        const signed = Signed.safeParse(events.exactJsonOf(rawBody))
        if (!signed.success) return false
        const { signature_key: signature } = signed.data
        const keys = [serverKey, ...webhookSecrets]
        return (
          keys.some((key) => signatures.sameText(signature, midtransSignature(key, signed.data))) && 'sender'
        )
      },
      translate: ({ rawBody }) => translate(rawBody, now()),
      refuses: (order) =>
        amounts.decimalTextOf(order, 0) === undefined ? 'must be a whole number of rupiah' : undefined,
      start: async (order) => {
        const request = {
          transaction_details: { order_id: order.id, gross_amount: Number(amounts.decimalTextOf(order, 0)) },
          customer_details: { email: order.email },
          callbacks: { finish: order.returnUrl ?? publicUrl },
        }
        const answer = await snap.post('/transactions', request, { 'x-append-notification': callbackUrl })
        return { url: wire.answered(Started, answer).redirect_url, expiresAt: null, references: [] }
      },
      ask: async ({ references, payment }) => {
        const transaction = await find(payment?.id ?? references[0] ?? '')
        return transaction ? eventsOf(transaction, now()) : []
      },
      findsRefunds: true,
      refund: async ({ id, payment, amount, currency, reason }) => {
        const made: StartedRefund = { state: 'succeeded', providerRefundId: id }
        const earlier = (await find(payment.id))?.refunds ?? []
        if (earlier.some(({ refund_key }) => refund_key === id)) return made
        const units = amounts.decimalTextOf({ amount, currency }, 0)
        const request = { refund_key: id, amount: Number(units), reason: reason ?? 'refund' }
        // The key in the body makes it safe to repeat.
        const answer = await api.post(`/${payment.id}/refund`, request, {})
        const { status_code } = wire.answeredExactly(Answer, { ...answer, status: 200 })
        if (status_code === '200') return made
        if (isRefused(status_code)) return wire.REFUSED
        wire.taken({ ...answer, status: Number(status_code) })
        return { ...made, state: 'pending' }
      },
    }
  },
})
