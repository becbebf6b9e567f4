import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import { Currency, exponentOf, type Money } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import { NO_PAGE, pageOf, readWholeList } from '../kit/lists.ts'
import * as statements from '../kit/statements.ts'
import { defineProvider, type ProviderEvent, type ProviderHttp, type StartedRefund } from '../provider.ts'

const config = z.object({
  apiKey: settings.secret,
  processingChannelId: settings.identifier,
  webhookSecrets: settings.secrets,
  /** The country of payers without a listing; other payments send the listing's country. */
  billingCountry: z.string().length(2).default('GB'),
  apiBase: settings.apiBase('https://api.checkout.com'),
})

const text = z.string().nullish()
const id = z.string().min(1).max(255)
const Envelope = z.object({ id, type: z.string(), created_on: text, data: z.unknown() })

/** A payment, an action on it or a dispute, by the fields we read. */
const Subject = z.object({
  id,
  action_id: text,
  payment_id: text,
  reference: text,
  payment_reference: text,
  metadata: z.object({ payment_id: z.string() }).nullish().catch(null),
  amount: z.number().nullish(),
  currency: text,
  response_code: text,
  response_summary: text,
  reason_code: text,
  evidence_required_by: text,
  last_update: text,
})
type Subject = z.infer<typeof Subject>

const Hosted = z.object({ id: z.string(), status: z.string(), payment_id: text })
const Charge = Subject.extend({
  status: z.string(),
  requested_on: text,
  balances: z.object({ total_captured: z.number().nullish() }).nullish(),
})
const Charges = z.object({ total_count: z.number().nullish(), data: z.array(z.object({ id })).nullish() })
const Action = z.object({
  id,
  type: z.string(),
  amount: z.number().nullish(),
  approved: z.boolean().nullish(),
  reference: text,
  processed_on: text,
})
const Dispute = Subject.extend({ status: z.string() })
const Disputes = z.object({ total_count: z.number().nullish(), data: z.array(Dispute).nullish() })
const Started = z
  .object({ id, _links: z.object({ redirect: z.object({ href: z.url() }) }) })
  .transform(({ id, _links }) => ({ url: _links.redirect.href, expiresAt: null, references: [id] }))
const MadeRefund = z
  .object({ action_id: id })
  .transform(({ action_id }) => ({ state: 'pending' as const, providerRefundId: action_id }))
const Reason = z
  .object({ error_type: text, error_codes: z.array(z.string()).nullish() })
  .transform(({ error_type, error_codes }) => ({ code: error_codes?.[0] ?? error_type, message: error_type }))

/** Returns the decimals in which Checkout.com counts a currency: those of ISO 4217, except for four, as documented. */
const exponentAt = (currency: Currency): number =>
  ['CLF', 'CLP', 'UYI', 'UYW'].includes(currency) ? 2 : exponentOf(currency)
const unitsOf = (money: Money) => amounts.unitsOf(money, exponentAt)
const moneyOf = ({ amount, currency }: Pick<Subject, 'amount' | 'currency'>) =>
  amounts.moneyOf(amount, currency, exponentAt)

/** Returns a currency with its bounds in our minor units: at most nine digits in Checkout.com's units, as documented. */
const limitOf = (currency: Currency) => {
  const max = 999_999_999 * 10 ** (exponentOf(currency) - exponentAt(currency))
  return [currency, { min: 1, max: Math.floor(max) }]
}
const LIMITS = Object.fromEntries(Currency.options.map(limitOf))

type ChargeState = (subject: Subject, at: Timestamp) => PaymentReading['charges'][number]

const succeeded: ChargeState = (subject, at) =>
  statements.chargeOf(at, { id: subject.id, money: moneyOf(subject) })
const processing: ChargeState = ({ id }, at) => statements.processingOf(at, id)
const cancelled: ChargeState = (_, at) => ({ kind: 'cancelled', at })
const failed =
  (defaultCode: string, { final = false } = {}): ChargeState =>
  ({ id, response_code, response_summary }, at) =>
    statements.failureOf(at, {
      final,
      code: response_code || defaultCode,
      message: response_summary || 'The payment was declined.',
      tryId: id,
    })

/** Checkout.com docs, "Event types". The payer may try another way on the same page: a failed try is not final. */
const STATES_BY_EVENT: Partial<Record<string, ChargeState>> = {
  // An authorisation brings no money yet: the capture does.
  payment_approved: processing,
  payment_captured: succeeded,
  payment_declined: failed('payment_declined'),
  payment_expired: failed('payment_expired'),
  payment_canceled: failed('payment_canceled'),
  payment_capture_declined: failed('payment_declined', { final: true }),
  payment_voided: cancelled,
}

/** The states of a payment in the official SDK. A refunded payment had been paid. */
const STATES_BY_STATUS: Partial<Record<string, ChargeState>> = {
  Authorized: processing,
  Captured: succeeded,
  'Partially Captured': succeeded,
  'Partially Refunded': succeeded,
  Refunded: succeeded,
  Declined: failed('payment_declined'),
  Expired: failed('payment_expired'),
  Canceled: failed('payment_canceled'),
  Voided: cancelled,
}

const REFUNDS_BY_EVENT: Partial<Record<string, StartedRefund['state']>> = {
  payment_refund_pending: 'pending',
  payment_refunded: 'succeeded',
  payment_refund_declined: 'failed',
}

/**
 * The final states of disputes in the official SDK; an event's type is `dispute_` and the state. The meaning of `closed`
 * is not documented.
 */
const DISPUTES_BY_STATE: Partial<Record<string, 'won' | 'lost'>> = {
  won: 'won',
  arbitration_won: 'won',
  // The payer has had a refund already: the dispute takes no money.
  resolved: 'won',
  canceled: 'won',
  closed: 'lost',
  lost: 'lost',
  arbitration_lost: 'lost',
  accepted: 'lost',
  expired: 'lost',
}
const DISPUTE = 'dispute_'

const disputeOf = (subject: Subject, status: string, at: Timestamp) =>
  statements.disputeOf(at, {
    id: subject.id,
    state: events.entryOf(DISPUTES_BY_STATE, status) ?? 'open',
    money: moneyOf(subject),
    chargeId: subject.payment_id,
    reason: subject.reason_code,
    respondBy: subject.evidence_required_by,
  })

function interpretSubject(type: string, subject: Subject, at: Timestamp): events.Interpretation {
  const { id, action_id, payment_id, metadata, reference, payment_reference } = subject
  // A dispute's own id names no payment.
  if (type.startsWith(DISPUTE)) {
    const statement = disputeOf(subject, type.slice(DISPUTE.length), at)
    return { references: [payment_reference, payment_id], statement }
  }
  const own = [metadata?.payment_id, reference]
  const statement = events.entryOf(STATES_BY_EVENT, type)?.(subject, at)
  // The id of a try that failed names no payment either.
  if (statement?.kind === 'failed' && !statement.final) return { references: own, statement }
  if (statement) return { references: [...own, id], statement }
  const state = events.entryOf(REFUNDS_BY_EVENT, type)
  if (!state) return events.NO_PAYMENT
  const fields = { id: action_id, money: moneyOf(subject), state, chargeId: id, ours: reference }
  const references = [metadata?.payment_id, statements.ownPaymentId(reference), id]
  // A callback without the refund's id only points at the payment, whose refunds are then read.
  return { references, statement: action_id ? statements.refundOf(at, fields) : null }
}

function interpret(rawBody: Buffer, now: Date): ProviderEvent {
  const envelope = Envelope.safeParse(events.jsonOf(rawBody))
  if (!envelope.success) return events.unreadableEvent(rawBody, envelope.error)
  const { id: eventId, type, created_on, data } = envelope.data
  const at = events.momentOf(created_on, now)
  const isOfPayment = /^(payment|dispute)_/.test(type)
  if (!isOfPayment) return events.eventOf({ eventId, type }, events.NO_PAYMENT)
  const interpretation = events.interpret(Subject, data, (subject) => interpretSubject(type, subject, at))
  return events.eventOf({ eventId, type }, interpretation)
}

/** Returns the header that Checkout.com sends with these bytes. */
export const checkoutComSignature = (secret: string, rawBody: Buffer): string =>
  signatures.hmac('sha256', secret, [rawBody], 'hex')

const isPage = (reference: string): boolean => reference.startsWith('hpp_')
/** Whether a reference is Checkout.com's id of a payment. Our own payment ids begin with `pay_` too. */
const isCharge = (reference: string): boolean =>
  reference.startsWith('pay_') && !PaymentId.safeParse(reference).success

const DISPUTES_A_PAGE = 250
const CHARGES_A_PAGE = 100

const apiOf = (http: ProviderHttp, apiBase: string, apiKey: string) => {
  const api = wire.jsonApi(http, apiBase, { authorization: `Bearer ${apiKey}` })
  return {
    ...api,
    page: async (id: string) =>
      wire.readFound(Hosted, await api.get(`/hosted-payments/${encodeURIComponent(id)}`)),
    charge: async (id: string) =>
      wire.readFound(Charge, await api.get(`/payments/${encodeURIComponent(id)}`)),
    actions: async (id: string) =>
      wire.readFound(z.array(Action), await api.get(`/payments/${encodeURIComponent(id)}/actions`)) ?? [],
    /** Returns the ids of all payments that were tried under a reference of ours; none for a key that may not list them. */
    chargeIds: async (reference: string): Promise<string[]> => {
      const found = await readWholeList(0, async (skip) => {
        const by = { reference, limit: `${CHARGES_A_PAGE}`, skip: `${skip}` }
        const answer = await api.get(`/payments?${new URLSearchParams(by)}`)
        if (wire.isRefusal(answer) || answer.status === 403) return NO_PAGE
        const { data, total_count } = wire.readAnswer(Charges, answer)
        return pageOf(data ?? [], skip, total_count)
      })
      return found.map((charge) => charge.id)
    },
    /** Returns all disputes of a payment; none for a key that may not read disputes. */
    disputes: (id: string): Promise<z.infer<typeof Dispute>[]> =>
      readWholeList(0, async (skip) => {
        const query = `payment_id=${encodeURIComponent(id)}&limit=${DISPUTES_A_PAGE}&skip=${skip}`
        const answer = await api.get(`/disputes?${query}`)
        if (answer.status === 403 || answer.status === 404) return NO_PAGE
        const { data, total_count } = wire.readAnswer(Disputes, answer)
        return pageOf(data ?? [], skip, total_count)
      }),
  }
}
type Api = ReturnType<typeof apiOf>

/** Returns the captured amount. Without a total, a part is the sum of its captures. */
function capturedOf({ status, amount, balances }: z.infer<typeof Charge>, actions: z.infer<typeof Action>[]) {
  if (balances?.total_captured) return balances.total_captured
  if (status !== 'Partially Captured') return amount
  const captures = actions.filter(({ type, approved }) => type === 'Capture' && approved)
  return captures.reduce((sum, capture) => sum + (capture.amount ?? 0), 0)
}

function refundState({ approved }: z.infer<typeof Action>): StartedRefund['state'] {
  if (approved == null) return 'pending'
  return approved ? 'succeeded' : 'failed'
}

/** Reads one payment on a page: a try that was declined, or the money with all that became of it. */
async function readCharge(api: Api, id: string, now: Date): Promise<Omit<PaymentReading, 'fees'> | null> {
  const charge = await api.charge(id)
  if (!charge) return null
  const at = events.momentOf(charge.requested_on, now)
  const state = events.entryOf(STATES_BY_STATUS, charge.status)?.(charge, at)
  const references = [charge.metadata?.payment_id, charge.reference, id]
  if (state?.kind !== 'succeeded') return statements.readingOf({ references, charges: state ? [state] : [] })
  const [actions, disputes] = await Promise.all([api.actions(id), api.disputes(id)])
  const refunds = actions.filter(({ type }) => type === 'Refund')
  return statements.readingOf({
    references,
    charges: [succeeded({ ...charge, amount: capturedOf(charge, actions) }, at)],
    refunds: refunds.map((refund) =>
      statements.refundOf(events.momentOf(refund.processed_on, now), {
        id: refund.id,
        money: moneyOf({ amount: refund.amount, currency: charge.currency }),
        state: refundState(refund),
        chargeId: id,
        ours: refund.reference,
      }),
    ),
    disputes: disputes.map((each) =>
      disputeOf({ ...each, payment_id: id }, each.status, events.momentOf(each.last_update, now)),
    ),
  })
}

/** The status for a refund that is not allowed, which is not documented. A wrong key is answered by 401. */
const NOT_ALLOWED = 403

/**
 * Checkout.com's Hosted Payments Page. Callbacks carry `Cko-Signature`, HMAC-SHA256 of the body, without a time: as
 * documented, as are its events and how amounts are counted. Requests and the states of pages, payments, actions and
 * disputes were read in the official SDK: try them in the sandbox first. A page has no idempotency key: after a lost
 * answer a second page is made for the same reference, and the payer sees one. Each try on a page is a payment of its
 * own. A page has an end that we cannot set, and cannot be closed: the payment is read until then.
 */
export const provider = defineProvider({
  config,
  open: (
    { apiKey, processingChannelId, webhookSecrets, billingCountry, apiBase },
    { http, now, publicUrl },
  ) => {
    const api = apiOf(http, apiBase, apiKey)
    return {
      currencies: 'any',
      limits: LIMITS,
      countries: 'any',
      callbackMethods: ['POST'],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) =>
        signatures.isMadeByAny(headers['cko-signature'], webhookSecrets, (secret) =>
          checkoutComSignature(secret, rawBody),
        )
          ? 'signed'
          : 'forged',
      interpret: ({ rawBody }) => [interpret(rawBody, now())],
      refuses: (order) => {
        const units = unitsOf(order)
        if (units === undefined) return 'must be a whole number of units'
        // Checkout.com takes a third decimal only where it is 0.
        return exponentAt(order.currency) === 3 && units % 10 !== 0 ? 'must be a multiple of 10' : undefined
      },
      start: async (order) => {
        const returnUrl = order.returnUrl ?? publicUrl
        const answer = await api.post('/hosted-payments', {
          amount: unitsOf(order),
          currency: order.currency,
          reference: order.id,
          metadata: { payment_id: order.id },
          ...(order.name !== null && { customer: { email: order.email, name: order.name } }),
          billing: { address: { country: order.country ?? billingCountry } },
          success_url: returnUrl,
          failure_url: returnUrl,
          cancel_url: returnUrl,
          processing_channel_id: processingChannelId,
        })
        return wire.refusalOf(answer, Reason) ?? wire.readAnswer(Started, answer)
      },
      readPayment: async ({ references, payment }) => {
        const pageId = references.find(isPage)
        const page = pageId ? await api.page(pageId) : undefined
        const own = payment?.id ?? references.find((each) => PaymentId.safeParse(each).success)
        const tried = own ? await api.chargeIds(own) : []
        const paidOnPage = page?.payment_id ? [page.payment_id] : []
        const ids = [...references.filter(isCharge), ...paidOnPage, ...tried]
        const read = await Promise.all([...new Set(ids)].map((id) => readCharge(api, id, now())))
        const readings = read.flatMap((reading) => reading ?? [])
        if (!page && readings.length === 0) return null
        const tries = readings.flatMap((reading) => reading.charges)
        const paid = tries.filter(({ kind }) => kind === 'succeeded')
        // After the page has expired, a try that has not failed may still bring the money.
        const isOver = page?.status === 'Expired' && tries.every(({ kind }) => kind === 'failed')
        const unpaid = isOver ? [{ kind: 'expired' as const, at: timestamp(now()) }] : tries
        return statements.readingOf({
          references: [page?.id, ...readings.flatMap((reading) => reading.references)],
          charges: paid.length > 0 ? paid : unpaid,
          refunds: readings.flatMap((reading) => reading.refunds),
          disputes: readings.flatMap((reading) => reading.disputes),
        })
      },
      startRefund: async ({ id, key, payment, chargeId, amount, currency }) => {
        const charge = chargeId ?? payment.references.find(isCharge)
        if (!charge) return wire.REFUSED
        const path = `/payments/${encodeURIComponent(charge)}/refunds`
        const request = { amount: unitsOf({ amount, currency }), reference: id }
        const answer = await api.post(path, request, { 'cko-idempotency-key': key }, wire.NO_RETRY)
        const isRefused = wire.isRefusal(answer) || answer.status === NOT_ALLOWED
        return isRefused ? wire.REFUSED : wire.readAnswer(MadeRefund, answer)
      },
    }
  },
})
