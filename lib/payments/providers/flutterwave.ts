import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import type { Statement } from '../fact.ts'
import * as kit from '../provider/kit/kit.ts'
import * as wire from '../provider/kit/wire.ts'
import { defineProvider, type ProviderEvent } from '../provider/provider.ts'

const config = z.object({
  apiKey: kit.secret,
  webhookSecrets: kit.secrets,
  apiBase: kit.apiBase('https://api.flutterwave.com'),
})

const text = z.string().nullish()

/** A transaction as version 3 tells it (`tx_ref`) or version 4 (`reference`); numbers as their text. */
const Transaction = z.object({
  id: z.string().min(1).max(255),
  tx_ref: text,
  flw_ref: text,
  reference: text,
  amount: text,
  currency: text,
  status: text,
  created_at: text,
  created_datetime: text,
  /** A text in version 3. */
  processor_response: z
    .union([z.string(), z.object({ type: text, code: text })])
    .nullish()
    .catch(null),
})
type Transaction = z.infer<typeof Transaction>

const Refund = z.object({
  id: z.string().min(1).max(255),
  status: text,
  charge_id: text,
  tx_id: text,
  reference: text,
  comments: text,
  amount: text,
  amount_refunded: text,
  currency: text,
})

const Callback = z.object({
  webhook_id: text,
  event: z.string().optional(),
  type: z.string().optional(),
  data: z.unknown(),
})

const Started = z.object({ data: z.object({ link: z.url() }) })
const Asked = z.object({ data: Transaction.nullish() })
const AskedRefund = z.object({ data: Refund })
const Refunds = z.object({ data: z.array(Refund) })

const isPaid = ({ status }: Transaction): boolean => status === 'successful' || status === 'succeeded'

/** In version 3 another try may follow under the same reference; a charge of version 4 is over. */
function statementOf(transaction: Transaction, at: Timestamp): Statement | null {
  const { status, amount, currency, processor_response: response, tx_ref } = transaction
  if (isPaid(transaction)) return { kind: 'succeeded', at, money: wire.decimalMoneyOf(amount, currency) }
  if (status === 'pending') return { kind: 'processing', at }
  if (status === 'voided') return { kind: 'cancelled', at }
  if (status !== 'failed') return null
  const [code, message] = typeof response === 'string' ? [null, response] : [response?.type, response?.code]
  return kit.failed(at, { final: tx_ref == null, code, message })
}

/** The id of a try that failed names no payment. */
const transactionTold = (transaction: Transaction, now: Date): kit.Told => ({
  references: [
    transaction.tx_ref ?? transaction.reference,
    ...(isPaid(transaction) ? [transaction.id, transaction.flw_ref] : []),
  ],
  statement: statementOf(
    transaction,
    kit.momentOf(transaction.created_at ?? transaction.created_datetime, now),
  ),
})

const refundTold = (refund: z.infer<typeof Refund>, at: Timestamp): kit.Told => ({
  references: [wire.paymentsOwn(refund.reference), refund.charge_id ?? refund.tx_id],
  statement: kit.refundOf(at, {
    id: refund.id,
    money: wire.decimalMoneyOf(refund.amount_refunded ?? refund.amount, refund.currency),
    state: refundState(refund.status),
    ours: refund.comments,
  }),
})

const refundState = (status: string | null | undefined) => {
  if (status?.startsWith('completed') || status === 'succeeded' || status === 'successful') return 'succeeded'
  return status === 'failed' ? 'failed' : 'pending'
}

const eventIdOf = (type: string, { id, status, amount, currency }: Transaction): string =>
  [type, id, status, amount, currency].join(':')

/** Version 3 gives its events no id, version 4 may. */
const refundEvent = (refund: z.infer<typeof Refund>, now: Date, webhookId?: string | null): ProviderEvent => {
  const { id, status, amount_refunded, amount, currency } = refund
  const eventId = webhookId || [REFUND, id, status, amount_refunded ?? amount, currency].join(':')
  return kit.eventOf({ eventId, type: REFUND }, refundTold(refund, timestamp(now)))
}

const CHARGE = 'charge.completed'
const REFUND = 'refund.completed'

function translate(rawBody: Buffer, now: Date): ProviderEvent {
  const callback = Callback.safeParse(wire.exactJsonOf(rawBody))
  if (!callback.success) return kit.unreadable(rawBody, callback.error)
  const { webhook_id: webhookId, event, type = event ?? 'unknown', data } = callback.data
  if (type === CHARGE) {
    const transaction = Transaction.safeParse(data)
    if (!transaction.success) return kit.unreadable(rawBody, transaction.error)
    const eventId = webhookId || eventIdOf(CHARGE, transaction.data)
    return kit.eventOf({ eventId, type }, transactionTold(transaction.data, now))
  }
  if (type !== REFUND) return kit.eventOf({ eventId: webhookId || kit.sha256(rawBody), type }, kit.NOTHING)
  const refund = Refund.safeParse(data)
  return refund.success ? refundEvent(refund.data, now, webhookId) : kit.unreadable(rawBody, refund.error)
}

/** The header of version 4 with these bytes; that of version 3 is the secret itself. */
export const flutterwaveSignature = (secret: string, rawBody: Buffer): string =>
  kit.hmac('sha256', secret, [rawBody], 'base64')

/**
 * Flutterwave's hosted page. In version 4 callbacks carry `flutterwave-signature`, HMAC-SHA256 of the body: from
 * secondary sources, and older copies of its page show the bare secret there, so try it in the sandbox first. In
 * version 3 `verif-hash` is the secret itself, as documented: it vouches for the sender, and the transaction is
 * asked about. Payments are started, asked about and refunded with version 3; starting is as documented, the
 * rest, and all that is told of refunds, general knowledge. There is no idempotency key: `tx_ref` names a
 * payment however many pages were made for it, and refunds are looked for by our note first.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now, publicUrl }) => {
    const api = wire.jsonApi(http, `${apiBase}/v3`, { authorization: `Bearer ${apiKey}` })
    return {
      currencies: CURRENCIES,
      countries: ['CI', 'CM', 'EG', 'GH', 'KE', 'MW', 'NG', 'RW', 'SN', 'TZ', 'UG', 'ZA', 'ZM'],
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: kit.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const { 'flutterwave-signature': signature = '', 'verif-hash': hash = '' } = headers
        if (webhookSecrets.some((secret) => kit.sameText(signature, flutterwaveSignature(secret, rawBody))))
          return true
        return webhookSecrets.some((secret) => kit.sameText(hash, secret)) && 'sender'
      },
      translate: ({ rawBody }) => [translate(rawBody, now())],
      start: async (order) => {
        const answer = await api.post('/payments', {
          tx_ref: order.id,
          amount: wire.decimalTextOf(order),
          currency: order.currency,
          redirect_url: order.returnUrl ?? publicUrl,
          customer: { email: order.email },
          meta: { payment_id: order.id },
        })
        return { url: wire.answered(Started, answer).data.link, expiresAt: null, references: [] }
      },
      ask: async ({ references, payment, claim }) => {
        if (claim?.statement?.kind === 'refund' && claim.statement.providerRefundId) {
          const path = `/refunds/${encodeURIComponent(claim.statement.providerRefundId)}`
          const refund = wire.foundIn(AskedRefund, await api.get(path))?.data
          return wire.concerning(payment, refund ? [refundEvent(refund, now())] : [])
        }
        const id = references.find(isTransaction)
        const search = new URLSearchParams({ tx_ref: payment?.id ?? references[0] ?? '' })
        const answer = await api.get(
          id ? `/transactions/${id}/verify` : `/transactions/verify_by_reference?${search}`,
        )
        // It refuses a reference that nobody has paid under yet.
        const data = wire.isRefusal(answer) ? null : wire.answeredExactly(Asked, answer).data
        if (!data) return []
        const identity = { eventId: eventIdOf(CHARGE, data), type: CHARGE }
        return wire.concerning(payment, [kit.eventOf(identity, transactionTold(data, now()))])
      },
      findsRefunds: true,
      refund: async ({ id, payment, amount, currency }) => {
        const paid = payment.references.find(isTransaction)
        if (!paid) return wire.REFUSED
        const earlier = wire.foundIn(
          Refunds,
          await api.get(`/refunds?${new URLSearchParams({ tx_id: paid })}`),
        )
        const same = earlier?.data.find(({ comments, tx_id }) => comments === id && tx_id === paid)
        if (same) return { state: refundState(same.status), providerRefundId: same.id }
        const request = { amount: wire.decimalTextOf({ amount, currency }), comments: id }
        const answer = await api.post(`/transactions/${paid}/refund`, request)
        if (wire.isRefusal(answer)) return wire.REFUSED
        const { data } = wire.answeredExactly(AskedRefund, answer)
        return { state: refundState(data.status), providerRefundId: data.id }
      },
    }
  },
})

/** The id of a transaction of version 3. */
const isTransaction = (reference: string): boolean => /^\d+$/.test(reference)

/** Flutterwave docs: "Supported currencies"; general knowledge. */
const CURRENCIES = wire.currencies('EGP EUR GBP GHS KES MWK NGN RWF TZS UGX USD XAF XOF ZAR ZMW')
