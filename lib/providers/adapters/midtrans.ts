import { createHash } from 'node:crypto'
import * as z from 'zod'
import { HOUR_MILLISECONDS, MINUTE_MILLISECONDS, type Timestamp, timestamp } from '#lib/kernel/clock'
import type { Money } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import * as pages from '../kit/pages.ts'
import * as statements from '../kit/statements.ts'
import { defineProvider, type ProviderEvent, type ProviderHttp } from '../provider.ts'

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
  reason: text,
})
type Refund = z.infer<typeof Refund>

/** A notification, and the answer of the status API; numbers as their text. */
const Transaction = z.object({
  order_id: z.string().min(1).max(255),
  transaction_id: text,
  transaction_status: z.string(),
  transaction_time: text,
  payment_type: text,
  status_code: z.string(),
  gross_amount: z.string(),
  fraud_status: text,
  currency: text.transform((currency) => currency ?? 'IDR'),
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
/** Snap gives its reasons no codes. */
const Reason = z
  .object({ error_messages: z.array(z.string()) })
  .transform(({ error_messages: [message] }) => ({ message }))

/** Returns a notification's `signature_key`: a plain hash of its values, as they are sent, and the account's key. */
export const midtransSignature = (
  serverKey: string,
  { order_id, status_code, gross_amount }: { order_id: string; status_code: string; gross_amount: string },
): string => createHash('sha512').update(`${order_id}${status_code}${gross_amount}${serverKey}`).digest('hex')

/** Reads a time, which is Jakarta's. */
const momentOf = (time: string | null | undefined, now: Date): Timestamp =>
  events.momentOf(time && `${time.replace(' ', 'T')}+07:00`, now)

const jakartaTime = (now: Date): string =>
  `${new Date(now.getTime() + 7 * HOUR_MILLISECONDS).toISOString().slice(0, 19).replace('T', ' ')} +0700`

const MONEY_THAT_CAME = ['settlement', 'refund', 'partial_refund', 'chargeback', 'partial_chargeback']

/** Whether the money of a transaction has come. A capture that is challenged waits for a decision. */
const isPaid = ({ transaction_status, status_code, fraud_status }: Transaction): boolean =>
  status_code === '200' &&
  (MONEY_THAT_CAME.includes(transaction_status) ||
    (transaction_status === 'capture' && fraud_status === 'accept'))

/** Whether the page of a transaction's payment has closed, and whether this transaction had paid it. */
type Before = { isPageOver: boolean; wasPaid: boolean }

/**
 * Returns the status by which paid money went back, else null. A card payment may be cancelled until it settles, and a
 * transfer denied minutes later: Midtrans docs, "Status Cycle".
 */
const wentBack = ({ transaction_status: status }: Transaction, { wasPaid }: Before) =>
  wasPaid && (status === 'cancel' || status === 'deny') ? status : null

/**
 * Returns the state of a transaction. After a declined one the payer may choose another way to pay on the same page, until that
 * closes. A card that is `pending` is still being typed in; with other methods the payer has a number to pay to.
 */
function chargeState(
  transaction: Transaction,
  at: Timestamp,
  before: Before,
): PaymentReading['charges'][number] | null {
  const { transaction_status: status, transaction_id: id, payment_type: method } = transaction
  // Money that went back had come: the charge stays, and a refund or a dispute takes it back.
  if (isPaid(transaction) || wentBack(transaction, before))
    return statements.chargeOf(at, { id, money: sumOf(transaction) })
  if (status === 'cancel') return { kind: 'cancelled', at }
  if (status === 'expire') return { kind: 'expired', at }
  if (status === 'deny' || status === 'failure')
    return statements.failureOf(at, { final: before.isPageOver, code: status })
  const isWaiting = status === 'capture' || status === 'authorize'
  const hasNumberToPayTo = status === 'pending' && method !== 'credit_card'
  return isWaiting || hasNumberToPayTo ? { kind: 'processing', at } : null
}

const sumOf = ({ gross_amount, currency }: Transaction) => amounts.decimalMoneyOf(gross_amount, currency)

/** Interprets a refund. Midtrans' own name for it is its key: ours, or a key made by Midtrans. */
const refundOf = (refund: Refund, { transaction_id, currency }: Transaction, now: Date) =>
  statements.refundOf(momentOf(refund.created_at, now), {
    id: refund.refund_key || refund.refund_chargeback_id,
    money: amounts.decimalMoneyOf(refund.refund_amount, currency),
    state: 'succeeded',
    chargeId: transaction_id,
    reason: refund.reason,
    ours: refund.refund_key,
  })

/** Whether an entry among the refunds is the chargeback of its transaction: every refund has a key. */
const isChargeback = (refund: Refund, { transaction_status }: Transaction): boolean =>
  transaction_status.endsWith('chargeback') && !refund.refund_key

/** Interprets a chargeback, which takes the money at once. Without an amount it is of the whole. */
function chargebackOf(transaction: Transaction, now: Date): StatementOf<'dispute'>[] {
  const { transaction_status: status, currency, refunds } = transaction
  if (!status.endsWith('chargeback')) return []
  const parts = (refunds ?? [])
    .filter((refund) => isChargeback(refund, transaction))
    .flatMap(({ refund_amount }) => amounts.decimalMoneyOf(refund_amount, currency) ?? [])
  const [first] = parts
  const sum = parts.reduce((total, { amount }) => total + amount, 0)
  return [lossOf(transaction, first ? { ...first, amount: sum } : null, now)]
}

/** States that money of a transaction was taken back, under the transaction's own id. */
const lossOf = (
  { transaction_id, order_id, transaction_status }: Transaction,
  money: Money | null,
  now: Date,
) =>
  statements.disputeOf(timestamp(now), {
    id: transaction_id ?? order_id,
    state: 'lost',
    money,
    chargeId: transaction_id,
    reason: transaction_status,
  })

/** States the refund of a whole card payment, which was cancelled before it settled. Midtrans gives that no name. */
const cancellationOf = (transaction: Transaction, now: Date) =>
  statements.refundOf(timestamp(now), {
    id: `${transaction.transaction_id}:cancel`,
    money: sumOf(transaction),
    state: 'succeeded',
    chargeId: transaction.transaction_id,
  })

/** Interprets everything in a transaction, with the ids by which it names the payment. */
function interpretTransaction(transaction: Transaction, now: Date, before: Before) {
  const state = chargeState(transaction, momentOf(transaction.transaction_time, now), before)
  const back = wentBack(transaction, before)
  const refunds = (transaction.refunds ?? [])
    .filter((refund) => !isChargeback(refund, transaction))
    .map((refund) => refundOf(refund, transaction, now))
  return {
    // Only a transaction that paid becomes a reference: `wasPaid` looks for it there.
    references: [transaction.order_id, state?.kind === 'succeeded' ? transaction.transaction_id : null],
    charges: state ? [state] : [],
    refunds: back === 'cancel' ? [...refunds, cancellationOf(transaction, now)] : refunds,
    disputes:
      back === 'deny' ? [lossOf(transaction, sumOf(transaction), now)] : chargebackOf(transaction, now),
  }
}

/**
 * Interprets a notification as claims, which the status API confirms or not: the transaction, its refunds and disputes.
 */
function interpret(rawBody: Buffer, now: Date): ProviderEvent[] {
  const parsed = Transaction.safeParse(events.jsonWithTextNumbers(rawBody))
  if (!parsed.success) return [events.unreadableEvent(rawBody, parsed.error)]
  const { order_id, transaction_id, transaction_status: status, status_code, gross_amount } = parsed.data
  const { references, charges, refunds, disputes } = interpretTransaction(parsed.data, now, {
    isPageOver: false,
    wasPaid: false,
  })
  const event = (type: string, key: readonly unknown[], statement: ProviderEvent['statement']) =>
    events.eventOf(
      { eventId: [order_id, transaction_id, type, ...key].join(':'), type },
      { references, statement },
    )
  return [
    event(status, [status_code, gross_amount], charges[0] ?? null),
    ...refunds.map((refund) => event('refund', [refund.providerRefundId, refund.money?.amount], refund)),
    ...disputes.map((dispute) => event('dispute', [dispute.money?.amount], dispute)),
  ]
}

/** Midtrans docs: "Expire a Snap Session". */
const PAGE_MINUTES_MIN = 5

/** Returns the end of the page, and of the method that is chosen on it, as Midtrans takes them. */
function endOfPage(expiresAt: Timestamp, now: Date) {
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / MINUTE_MILLISECONDS)
  const lasts = { unit: 'minute', duration: Math.max(PAGE_MINUTES_MIN, minutes) }
  return { expiry: { start_time: jakartaTime(now), ...lasts }, page_expiry: lasts }
}

/** Methods whose money goes back at once, by a path of its own. Midtrans docs: "Direct Refund Transaction". */
const REFUNDED_DIRECTLY = ['gopay', 'shopeepay', 'qris', 'akulaku', 'kredivo']

/** Whether a refund is refused permanently. Only the three 4xx codes named here may succeed later. */
const isRefused = (code: string): boolean => code.startsWith('4') && !['401', '408', '429'].includes(code)

/** Whether another request has made a page for this order: its answer was lost. */
const isTaken = ({ body }: { body: string }): boolean => body.includes('has already been taken')

const apiOf = (http: ProviderHttp, apiBase: string, serverKey: string) => {
  const headers = wire.basic(serverKey, '')
  const api = wire.jsonApi(http, `${apiBase}/v2`, headers)
  return {
    snap: wire.jsonApi(http, `${apiBase.replace('://api.', '://app.')}/snap/v1`, headers),
    find: async (order: string): Promise<Transaction | undefined> => {
      const answer = await api.get(`/${encodeURIComponent(order)}/status`)
      // Until a method is chosen, the body alone says 404, whatever the HTTP status.
      return wire.readFoundWithTextNumbers(Answer, answer)?.status_code === '404'
        ? undefined
        : wire.readFoundWithTextNumbers(Transaction, answer)
    },
    /** Changes an order. The code in the body counts, whatever the HTTP status. */
    change: async (
      path: string,
      request: unknown,
      retry: typeof wire.RETRY | typeof wire.NO_RETRY,
    ): Promise<{ status_code: string; body: string }> => {
      const answer = await api.post(path, request, undefined, retry)
      const { status_code } = wire.readAnswerWithTextNumbers(Answer, { ...answer, status: 200 })
      return { status_code, body: answer.body }
    },
  }
}

/**
 * Midtrans' Snap page. A notification holds `signature_key`, as documented a SHA-512 over the order's id, a code and
 * the amount. A settlement, a refund and a chargeback share one signature, so the status is read. The times at which
 * Midtrans repeats a notification depend on our answer. The cycle of states is documented, also where money comes and
 * goes back. So are the expiry of page and payment, `expire`, the list of refunds, and both ways to refund with their
 * `refund_key`, which Midtrans takes once. That a declined payer may choose again on the page, and how chargebacks are
 * listed, is not documented: try both in the sandbox first (`apiBase` `https://api.sandbox.midtrans.com`). A card can
 * be refunded once it has settled. An order's id is good for one page: after a lost answer to the first request the
 * payment expires, because a second request would be refused. A page without a chosen method cannot be closed: it
 * closes by the expiry that was sent. The bounds of an amount depend on how it is paid, and are not documented for all.
 */
export const provider = defineProvider({
  config,
  open: ({ serverKey, webhookSecrets, apiBase }, { http, now, publicUrl, callbackUrl }) => {
    const { snap, find, change } = apiOf(http, apiBase, serverKey)
    return {
      currencies: ['IDR'],
      countries: ['ID'],
      callbackMethods: ['POST'],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ rawBody }) => {
        const { data } = Signed.safeParse(events.jsonWithTextNumbers(rawBody))
        if (!data) return 'forged'
        const keys = [serverKey, ...webhookSecrets]
        const isSigned = signatures.isMadeByAny(data.signature_key, keys, (key) =>
          midtransSignature(key, data),
        )
        return isSigned ? 'sender' : 'forged'
      },
      interpret: ({ rawBody }) => interpret(rawBody, now()),
      refuses: (order) =>
        amounts.decimalTextOf(order, 0) === undefined ? 'must be a whole number of rupiah' : undefined,
      start: async (order) => {
        const request = {
          transaction_details: { order_id: order.id, gross_amount: Number(amounts.decimalTextOf(order, 0)) },
          customer_details: { first_name: order.name ?? undefined, email: order.email },
          callbacks: { finish: order.returnUrl ?? publicUrl },
          ...endOfPage(order.expiresAt, now()),
        }
        const answer = await snap.post('/transactions', request, { 'x-append-notification': callbackUrl })
        const refused = wire.refusalOf(answer, Reason)
        if (refused && !isTaken(answer)) return refused
        // Throws `provider_unavailable` for an order whose page another request has made.
        const { redirect_url: url } = wire.readAnswer(Started, answer)
        return { url, expiresAt: order.expiresAt, references: [] }
      },
      close: async ({ id }) => {
        const { status_code } = await change(`/${id}/expire`, {}, wire.RETRY)
        // 407 is the code of an expired transaction.
        if (status_code === '407' || status_code === '200') return true
        const { transaction_status: status } = (await find(id)) ?? {}
        return status === 'expire' || status === 'cancel'
      },
      readPayment: async ({ references, payment }) => {
        const transaction = await find(payment?.id ?? references[0] ?? '')
        if (!transaction) return null
        const { transaction_id: id } = transaction
        const isPageOver = payment !== null && pages.isPageOver(payment, now())
        const wasPaid = id != null && payment?.references.includes(id) === true
        return statements.readingOf(interpretTransaction(transaction, now(), { isPageOver, wasPaid }))
      },
      startRefund: async ({ key, payment, amount, currency, reason }) => {
        const { payment_type: method = '' } = (await find(payment.id)) ?? {}
        const path = REFUNDED_DIRECTLY.includes(method ?? '') ? 'refund/online/direct' : 'refund'
        const request = {
          refund_key: key,
          amount: Number(amounts.decimalTextOf({ amount, currency }, 0)),
          reason: reason ?? 'refund',
        }
        const { status_code, body } = await change(`/${payment.id}/${path}`, request, wire.NO_RETRY)
        if (isRefused(status_code)) return wire.REFUSED
        wire.requireSuccess({ status: Number(status_code), body })
        return { state: status_code === '200' ? 'succeeded' : 'pending', providerRefundId: key }
      },
    }
  },
})
