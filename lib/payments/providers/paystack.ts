import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { RefundId } from '#lib/kernel/id'
import { type Currency, exponentOf, rescale } from '#lib/kernel/money'
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
  apiKey: settings.secret,
  /** Keys that were in use before: what they signed may still arrive. */
  webhookSecrets: z.array(settings.secret).default([]),
  apiBase: settings.apiBase('https://api.paystack.co'),
})

/** Paystack's ids are numbers in some events and texts in others. */
const Id = z.union([z.string(), z.number()]).nullish()
const Amount = z.union([z.number(), z.string().regex(/^\d{1,16}$/)]).nullish()
const Text = z.string().nullish()

const Data = z.object({
  id: Id,
  status: Text,
  reference: Text,
  transaction_reference: Text,
  refund_reference: Text,
  amount: Amount,
  refund_amount: Amount,
  currency: Text,
  paid_at: Text,
  resolution: Text,
  /** May also be a text, empty or 0. */
  metadata: z.object({ payment_id: z.string() }).nullish().catch(null),
  transaction: z.object({ id: Id, reference: Text }).nullish(),
})
type Data = z.infer<typeof Data>

const Callback = z.object({ event: z.string(), data: z.unknown() })

const Started = z.object({ data: z.object({ authorization_url: z.url() }) })
const Verified = z.object({ data: Data })
const Refund = z.object({ id: Id, status: Text, amount: Amount, currency: Text, merchant_note: Text })
const Refunded = z.object({ data: Refund })
const Refunds = z.object({ data: z.array(Refund) })
type Refund = z.infer<typeof Refund>

type Tell = (data: Data, at: Timestamp) => Statement | null

const succeeded: Tell = ({ amount, currency }, at) => ({
  kind: 'succeeded',
  at,
  money: amounts.moneyOf(amount, currency, exponentAt),
})

const refund =
  (state: 'pending' | 'succeeded' | 'failed'): Tell =>
  ({ refund_reference, transaction_reference, id, amount, currency }, at) => {
    const known = refund_reference || id
    // Until it has a reference, a refund that waits cannot be told from the next one.
    if (known == null && state === 'pending') return null
    const providerRefundId = String(known ?? `${transaction_reference}:${amount}`)
    const money = amounts.moneyOf(amount, currency, exponentAt)
    return statements.refundOf(at, { id: providerRefundId, money, state })
  }

const dispute = ({ id, resolution }: Data, at: Timestamp): Statement => ({
  kind: 'dispute',
  at,
  disputeId: String(id),
  state: resolution == null ? 'open' : resolution === 'declined' ? 'won' : 'lost',
})

/** Paystack's event samples; how a dispute's `resolution` reads: confidence GEN. Failures are never told. */
const TELLS: Partial<Record<string, Tell>> = {
  'charge.success': succeeded,
  'refund.pending': refund('pending'),
  'refund.processing': refund('pending'),
  'refund.needs-attention': refund('pending'),
  'refund.processed': refund('succeeded'),
  'refund.failed': refund('failed'),
  'charge.dispute.create': dispute,
  'charge.dispute.remind': dispute,
  'charge.dispute.resolve': dispute,
}

const referencesOf = (event: string, data: Data) => [
  data.transaction?.reference ?? data.transaction_reference ?? data.reference ?? data.metadata?.payment_id,
  // In other events this is the id of the refund or the dispute, counted apart from the transactions'.
  event.startsWith('charge.dispute') ? data.transaction?.id : event === 'charge.success' ? data.id : null,
]

/** Paystack gives its events no id. */
const eventIdOf = (event: string, data: Data): string => {
  const object = data.refund_reference || data.id || data.transaction_reference
  return [event, object, data.status, data.resolution, data.amount ?? data.refund_amount, data.currency].join(
    ':',
  )
}

/** Every currency is counted in hundredths, XOF and RWF too. Confidence GEN. */
const exponentAt = (): number => 2
const unitsOf = (amount: number, currency: Currency) => rescale(amount, exponentOf(currency), exponentAt())

/** The header that Paystack sends with these bytes: the API key itself is the key. */
export const paystackSignature = (apiKey: string, rawBody: Buffer): string =>
  signatures.hmac('sha512', apiKey, [rawBody], 'hex')

/** How a transaction stands. An abandoned or ongoing one may still be paid; whether a failed one may: GEN. */
function verified(data: Data, now: Date): ProviderEvent {
  const { id, status, amount, currency, reference } = data
  const at = events.momentOf(data.paid_at, now)
  const eventId = `transaction:${id}:${status}:${amount}:${currency}`
  const statement: Statement | null =
    status === 'success' || status === 'reversed'
      ? succeeded(data, at)
      : status === 'failed'
        ? statements.failed(at, { final: false })
        : null
  return events.eventOf(
    { eventId, type: `transaction.${status}` },
    { references: [reference, id], statement },
  )
}

const stateOf = ({ status }: Refund): StartedRefund['state'] =>
  status === 'processed' ? 'succeeded' : status === 'failed' ? 'failed' : 'pending'

/** A refund of ours, known by the note it carries; callbacks name it by a reference that the API does not. */
function noted(refund: Refund, now: Date): ProviderEvent[] {
  const refundId = RefundId.safeParse(refund.merchant_note)
  if (!refundId.success) return []
  const { id, status, amount, currency } = refund
  const money = amounts.moneyOf(amount, currency, exponentAt)
  const statement: Statement = {
    kind: 'refund',
    at: timestamp(now),
    money,
    state: stateOf(refund),
    providerRefundId: null,
    refundId: refundId.data,
    reason: null,
  }
  const identity = { eventId: `refund:${id}:${status}:${amount}`, type: `refund.${status}` }
  return [events.eventOf(identity, { references: [], statement })]
}

const CURRENCIES: readonly Currency[] = ['EGP', 'GHS', 'KES', 'NGN', 'RWF', 'USD', 'XOF', 'ZAR']

/**
 * Paystack's hosted page. Callbacks carry `x-paystack-signature`, HMAC-SHA512 of the body, without a time, by
 * the API key: read in Paystack's own samples. Requests to the API: confidence GEN. It has no idempotency
 * header and refuses a reference it has seen, so an answer that was lost leaves the payment to expire rather
 * than ask for the money twice. The payment's id is the reference: Paystack's reference allows `-`, `.`, `=`,
 * letters and digits, yet its WooCommerce plug-in sends `_`, as our ids do; confidence SEC. A refund carries our id
 * as its note, by which it is looked for before it is made; confidence GEN.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now }) => {
    const api = wire.jsonApi(http, apiBase, { authorization: `Bearer ${apiKey}` })
    return {
      currencies: CURRENCIES,
      countries: ['CI', 'EG', 'GH', 'KE', 'NG', 'RW', 'ZA'],
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const signature = headers['x-paystack-signature'] ?? ''
        return [apiKey, ...webhookSecrets].some((secret) =>
          signatures.sameText(signature, paystackSignature(secret, rawBody)),
        )
      },
      translate: ({ rawBody }) => {
        const callback = Callback.safeParse(events.jsonOf(rawBody))
        if (!callback.success) return [events.unreadable(rawBody, callback.error)]
        const { event: type } = callback.data
        const tell = events.entryOf(TELLS, type)
        if (!tell) return [events.eventOf({ eventId: signatures.sha256(rawBody), type }, events.NOTHING)]
        const data = Data.safeParse(callback.data.data)
        if (!data.success) return [events.unreadable(rawBody, data.error)]
        const statement = tell(data.data, events.momentOf(data.data.paid_at, now()))
        const told = { references: referencesOf(type, data.data), statement }
        return [events.eventOf({ eventId: eventIdOf(type, data.data), type }, told)]
      },
      start: async ({ id, amount, currency, email, returnUrl }) => {
        const answer = await api.post('/transaction/initialize', {
          email,
          amount: unitsOf(amount, currency),
          currency,
          reference: id,
          ...(returnUrl && { callback_url: returnUrl }),
          metadata: { payment_id: id },
        })
        const { data } = wire.answered(Started, answer)
        return { url: data.authorization_url, expiresAt: null, references: [] }
      },
      ask: async ({ payment, references }) => {
        const reference = payment?.id ?? references[0] ?? ''
        const answer = await api.get(`/transaction/verify/${encodeURIComponent(reference)}`)
        // An unknown reference is a 400 or a 404.
        if (wire.isRefusal(answer)) return []
        const { data } = wire.answered(Verified, answer)
        const transaction = verified(data, now())
        if (transaction.statement?.kind !== 'succeeded') return [transaction]
        const refunds = wire.answered(Refunds, await api.get(`/refund?transaction=${data.id}`))
        return [transaction, ...refunds.data.flatMap((refund) => noted(refund, now()))]
      },
      findsRefunds: true,
      refund: async ({ id, payment, amount, currency }) => {
        const paid = wire.answered(Verified, await api.get(`/transaction/verify/${payment.id}`))
        const made = wire.answered(Refunds, await api.get(`/refund?transaction=${paid.data.id}`))
        const earlier = made.data.find(({ merchant_note }) => merchant_note === id)
        if (earlier) return { state: stateOf(earlier), providerRefundId: null }
        const refund = { transaction: payment.id, amount: unitsOf(amount, currency), merchant_note: id }
        const answer = await api.post('/refund', refund)
        if (answer.status === 400) return wire.REFUSED
        return { state: stateOf(wire.answered(Refunded, answer).data), providerRefundId: null }
      },
    }
  },
})
