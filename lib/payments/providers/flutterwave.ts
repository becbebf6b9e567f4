import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import type { StatementOf } from '../fact.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import { wholeList } from '../provider/kit/lists.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import {
  defineProvider,
  type PaymentQuestion,
  type PaymentReading,
  type ProviderEvent,
  type ProviderHttp,
} from '../provider/provider.ts'

const config = z.object({
  apiKey: settings.secret,
  webhookSecrets: settings.secrets,
  apiBase: settings.apiBase('https://api.flutterwave.com'),
})

const text = z.string().nullish()

/** A transaction as version 3 tells it (`tx_ref`) or version 4 (`reference`); numbers as their text. */
const Transaction = z.object({
  id: z.string().min(1).max(255),
  tx_ref: text,
  flw_ref: text,
  reference: text,
  amount: text,
  app_fee: text,
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

/** The list names a refund's transaction and note otherwise than the answer to the request does. */
const Refund = z.object({
  id: z.string().min(1).max(255),
  status: text,
  charge_id: text,
  tx_id: text,
  transaction_id: text,
  reference: text,
  comment: text,
  comments: text,
  amount: text,
  amount_refunded: text,
  currency: text,
  created_at: text,
})
type Refund = z.infer<typeof Refund>

const Callback = z.object({
  webhook_id: text,
  event: z.string().optional(),
  type: z.string().optional(),
  data: z.unknown(),
})

const Started = z.object({ data: z.object({ link: z.url() }) })
const Asked = z.object({ data: Transaction.nullish() })
const MadeRefund = z.object({ data: Refund })
const Refunds = z.object({
  data: z.array(Refund),
  meta: z.object({ page_info: z.object({ total_pages: text }).nullish() }).nullish(),
})
const Reason = z.object({ code: text, message: text })

const isPaid = ({ status }: Transaction): boolean => status === 'successful' || status === 'succeeded'

/** In version 3 another try may follow under the same reference; a charge of version 4 is over. */
function statementOf(transaction: Transaction, at: Timestamp): PaymentReading['charges'][number] | null {
  const { id, status, amount, currency, processor_response: response, tx_ref } = transaction
  if (isPaid(transaction))
    return statements.chargeOf(at, { id, money: amounts.decimalMoneyOf(amount, currency) })
  if (status === 'pending') return { kind: 'processing', at }
  if (status === 'voided') return { kind: 'cancelled', at }
  if (status !== 'failed') return null
  const [code, message] = typeof response === 'string' ? [null, response] : [response?.type, response?.code]
  return statements.failed(at, { final: tx_ref == null, code, message })
}

/** The id of a try that failed names no payment. */
const transactionTold = (transaction: Transaction, now: Date) => ({
  references: [
    transaction.tx_ref ?? transaction.reference,
    ...(isPaid(transaction) ? [transaction.id, transaction.flw_ref] : []),
  ],
  statement: statementOf(
    transaction,
    events.momentOf(transaction.created_at ?? transaction.created_datetime, now),
  ),
})

const chargeIdOf = ({ charge_id, transaction_id, tx_id }: Refund) => charge_id ?? transaction_id ?? tx_id

const refundOf = (refund: Refund, currency: string | null | undefined, at: Timestamp) =>
  statements.refundOf(at, {
    id: refund.id,
    money: amounts.decimalMoneyOf(refund.amount_refunded ?? refund.amount, refund.currency ?? currency),
    state: refundState(refund.status),
    chargeId: chargeIdOf(refund),
    ours: refund.comment ?? refund.comments,
  })

/** Flutterwave docs, "Refunds": `completed` means that the request was accepted, `completed-…` that it is over. */
const refundState = (status: string | null | undefined) => {
  if (status?.startsWith('completed-') || status === 'succeeded' || status === 'successful')
    return 'succeeded'
  return status === 'failed' ? 'failed' : 'pending'
}

const eventIdOf = (type: string, { id, status, amount, currency }: Transaction): string =>
  [type, id, status, amount, currency].join(':')

/** Version 3 gives its events no id, version 4 may. It only points at a refund: the list says how that stands. */
const refundEvent = (refund: Refund, webhookId?: string | null): ProviderEvent => {
  const eventId = webhookId || [REFUND, refund.id, refund.status].join(':')
  const references = [statements.paymentsOwn(refund.reference), chargeIdOf(refund)]
  return events.eventOf({ eventId, type: REFUND }, { references, statement: null })
}

const CHARGE = 'charge.completed'
const REFUND = 'refund.completed'

function translate(rawBody: Buffer, now: Date): ProviderEvent {
  const callback = Callback.safeParse(events.exactJsonOf(rawBody))
  if (!callback.success) return events.unreadable(rawBody, callback.error)
  const { webhook_id: webhookId, event, type = event ?? 'unknown', data } = callback.data
  if (type === CHARGE) {
    const transaction = Transaction.safeParse(data)
    if (!transaction.success) return events.unreadable(rawBody, transaction.error)
    const eventId = webhookId || eventIdOf(CHARGE, transaction.data)
    return events.eventOf({ eventId, type }, transactionTold(transaction.data, now))
  }
  if (type !== REFUND)
    return events.eventOf({ eventId: webhookId || signatures.sha256(rawBody), type }, events.NOTHING)
  const refund = Refund.safeParse(data)
  return refund.success ? refundEvent(refund.data, webhookId) : events.unreadable(rawBody, refund.error)
}

/** The header of version 4 with these bytes; that of version 3 is the secret itself. */
export const flutterwaveSignature = (secret: string, rawBody: Buffer): string =>
  signatures.hmac('sha256', secret, [rawBody], 'base64')

/** The id of a transaction of version 3. */
const isTransaction = (reference: string): boolean => /^\d+$/.test(reference)

/** Requests to version 3, which starts, reads and refunds payments. */
const apiOf = (http: ProviderHttp, apiBase: string, apiKey: string) => {
  const api = wire.jsonApi(http, `${apiBase}/v3`, { authorization: `Bearer ${apiKey}` })
  return {
    ...api,
    /** The transactions of some ids of the provider's, and the newest under a reference of ours, each once. */
    transactions: async (ids: readonly string[], own: string | undefined): Promise<Transaction[]> => {
      const paths = ids.map((id) => `/transactions/${id}/verify`)
      if (own) paths.push(`/transactions/verify_by_reference?${new URLSearchParams({ tx_ref: own })}`)
      const answers = await Promise.all(paths.map(api.get))
      const found = answers.flatMap((answer) =>
        wire.isRefusal(answer) ? [] : (wire.answeredExactly(Asked, answer).data ?? []),
      )
      return [...new Map(found.map((transaction) => [transaction.id, transaction])).values()]
    },
    /** The account's refunds since a transaction was made. */
    refundsSince: ({ created_at }: Transaction): Promise<Refund[]> =>
      wholeList(1, async (page) => {
        const from = created_at ? { from: created_at.slice(0, 'yyyy-mm-dd'.length) } : {}
        const answer = await api.get(`/refunds?${new URLSearchParams({ ...from, page: String(page) })}`)
        const { data = [], meta } = wire.foundIn(Refunds, answer) ?? {}
        const pages = Number(meta?.page_info?.total_pages ?? 1)
        return { items: data, next: page < pages ? page + 1 : undefined }
      }),
  }
}
type Api = ReturnType<typeof apiOf>

/** What Flutterwave kept of a transaction for its work. */
const feesOf = ({ id, app_fee, currency }: Transaction, at: Timestamp): StatementOf<'fee'>[] => {
  const money = amounts.decimalMoneyOf(app_fee, currency)
  return money ? [{ kind: 'fee', at, feeId: id, money }] : []
}

/** Reads every transaction that is known under our reference. A payer may pay a second time under the same one. */
async function read(
  api: Api,
  { references, payment }: PaymentQuestion,
  now: Date,
): Promise<PaymentReading | null> {
  const own = payment?.id ?? references.find((reference) => PaymentId.safeParse(reference).success)
  const found = await api.transactions(references.filter(isTransaction), own)
  const ours = payment ? found.filter(({ tx_ref }) => tx_ref === payment.id) : found
  if (ours.length === 0) return null
  const paid = ours.filter(isPaid)
  const told = (paid.length > 0 ? paid : ours).map((transaction) => transactionTold(transaction, now))
  const refunds = await Promise.all(paid.map((transaction) => refundsOf(api, transaction, now)))
  return statements.readingOf({
    references: told.flatMap((each) => each.references),
    charges: told.flatMap(({ statement }) => statement ?? []),
    refunds: refunds.flat(),
    fees: paid.flatMap((transaction) => feesOf(transaction, events.momentOf(transaction.created_at, now))),
  })
}

const refundsOf = async (api: Api, transaction: Transaction, now: Date): Promise<StatementOf<'refund'>[]> =>
  (await api.refundsSince(transaction))
    .filter((refund) => chargeIdOf(refund) === transaction.id)
    .map((refund) => refundOf(refund, transaction.currency, events.momentOf(refund.created_at, now)))

/**
 * Flutterwave's hosted page. In version 4 callbacks carry `flutterwave-signature`, HMAC-SHA256 of the body: from
 * secondary sources, and older copies of its page show the bare secret there, so try it in the sandbox first. In
 * version 3 `verif-hash` is the secret itself, as documented: it vouches for the sender, and the transaction is
 * read. Payments are started, read and refunded with version 3; starting and refunding are as documented, the pages of
 * the list of refunds general knowledge. There is no idempotency key: `tx_ref` names a payment however many pages
 * were made for it, and a refund, which carries our id as its note, is asked for once. A page has no end that we
 * could set, and cannot be closed.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now, publicUrl }) => {
    const api = apiOf(http, apiBase, apiKey)
    return {
      currencies: CURRENCIES,
      countries: ['CI', 'CM', 'EG', 'GH', 'KE', 'MW', 'NG', 'RW', 'SN', 'TZ', 'UG', 'ZA', 'ZM'],
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const { 'flutterwave-signature': signature = '', 'verif-hash': hash = '' } = headers
        if (
          webhookSecrets.some((secret) =>
            signatures.sameText(signature, flutterwaveSignature(secret, rawBody)),
          )
        )
          return true
        return webhookSecrets.some((secret) => signatures.sameText(hash, secret)) && 'sender'
      },
      translate: ({ rawBody }) => [translate(rawBody, now())],
      start: async (order) => {
        const answer = await api.post('/payments', {
          tx_ref: order.id,
          amount: amounts.decimalTextOf(order),
          currency: order.currency,
          redirect_url: order.returnUrl ?? publicUrl,
          customer: { email: order.email },
          meta: { payment_id: order.id },
        })
        const refused = wire.refusalOf(answer, Reason)
        if (refused) return refused
        return { url: wire.answered(Started, answer).data.link, expiresAt: null, references: [] }
      },
      readPayment: (question) => read(api, question, now()),
      startRefund: async ({ id, payment, chargeId, amount, currency }) => {
        const paid = chargeId ?? payment.references.find(isTransaction)
        if (!paid) return wire.REFUSED
        const request = { amount: amounts.decimalTextOf({ amount, currency }), comments: id }
        const answer = await api.post(`/transactions/${encodeURIComponent(paid)}/refund`, request)
        if (wire.isRefusal(answer)) return wire.REFUSED
        const { data } = wire.answeredExactly(MadeRefund, answer)
        return { state: refundState(data.status), providerRefundId: data.id }
      },
    }
  },
})

/** Flutterwave docs: "Supported currencies"; general knowledge. */
const CURRENCIES = amounts.currencies('EGP EUR GBP GHS KES MWK NGN RWF TZS UGX USD XAF XOF ZAR ZMW')
