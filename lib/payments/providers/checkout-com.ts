import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import { Currency, exponentOf, type Money, rescale } from '#lib/kernel/money'
import type { StatementOf } from '../fact.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import { NO_PAGE, pageOf, wholeList } from '../provider/kit/lists.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import {
  defineProvider,
  type PaymentReading,
  type ProviderEvent,
  type ProviderHttp,
} from '../provider/provider.ts'

const config = z.object({
  apiKey: settings.secret,
  processingChannelId: settings.secret,
  webhookSecrets: settings.secrets,
  /** Of payers whose payment is for no listing; else the listing's country is sent. */
  billingCountry: z.string().length(2).default('GB'),
  apiBase: settings.apiBase('https://api.checkout.com'),
})

const Envelope = z.object({
  id: z.string().min(1),
  type: z.string(),
  created_on: z.string().nullish(),
  data: z.unknown(),
})

/** What an event is about: a payment, an action on it or a dispute, by the fields we read. */
const Subject = z.object({
  id: z.string().min(1).max(255),
  action_id: z.string().nullish(),
  payment_id: z.string().nullish(),
  reference: z.string().nullish(),
  payment_reference: z.string().nullish(),
  metadata: z.object({ payment_id: z.string() }).nullish().catch(null),
  amount: z.number().nullish(),
  currency: z.string().nullish(),
  response_code: z.string().nullish(),
  response_summary: z.string().nullish(),
  reason_code: z.string().nullish(),
  evidence_required_by: z.string().nullish(),
  last_update: z.string().nullish(),
})
type Subject = z.infer<typeof Subject>

const Hosted = z.object({ id: z.string(), status: z.string(), payment_id: z.string().nullish() })
const Charge = Subject.extend({ status: z.string(), requested_on: z.string().nullish() })
const Action = z.object({
  id: z.string().min(1),
  type: z.string(),
  amount: z.number().nullish(),
  approved: z.boolean().nullish(),
  reference: z.string().nullish(),
  processed_on: z.string().nullish(),
})
const Dispute = Subject.extend({ status: z.string() })
const Disputes = z.object({ total_count: z.number().nullish(), data: z.array(Dispute).nullish() })
const Started = z.object({
  id: z.string().min(1),
  _links: z.object({ redirect: z.object({ href: z.url() }) }),
})
const Refunded = z.object({ action_id: z.string().min(1) })

const Reason = z
  .object({ error_type: z.string().nullish(), error_codes: z.array(z.string()).nullish() })
  .transform(({ error_type, error_codes }) => ({ code: error_codes?.[0] ?? error_type, message: error_type }))

type Tell = events.Tell<Subject>
type TellStanding = (subject: Subject, at: Timestamp) => PaymentReading['charges'][number]

const money = ({ amount, currency }: Pick<Subject, 'amount' | 'currency'>) =>
  amounts.moneyOf(amount, currency, exponentAt)

const succeeded: TellStanding = (subject, at) =>
  statements.chargeOf(at, { id: subject.id, money: money(subject) })
const processing: TellStanding = (_, at) => ({ kind: 'processing', at })
const expired: TellStanding = (_, at) => ({ kind: 'expired', at })
const cancelled: TellStanding = (_, at) => ({ kind: 'cancelled', at })

const failed =
  (final: boolean): TellStanding =>
  ({ response_code, response_summary }, at) =>
    statements.failed(at, {
      final,
      code: response_code || 'payment_declined',
      message: response_summary || 'The payment was declined.',
    })

const refund =
  (state: 'pending' | 'succeeded' | 'failed'): Tell =>
  (subject, at) =>
    // An action without an id is read by its own.
    subject.action_id
      ? statements.refundOf(at, {
          id: subject.action_id,
          money: money(subject),
          state,
          chargeId: subject.id,
          ours: subject.reference,
        })
      : null

const disputeOf = (subject: Subject, at: Timestamp, state: StatementOf<'dispute'>['state']) =>
  statements.disputeOf(at, {
    id: subject.id,
    state,
    money: money(subject),
    chargeId: subject.payment_id,
    reason: subject.reason_code,
    respondBy: subject.evidence_required_by,
  })

const dispute =
  (state: StatementOf<'dispute'>['state']): Tell =>
  (subject, at) =>
    disputeOf(subject, at, state)

/** As documented; how a dispute ends that was resolved, cancelled or left to expire is general knowledge. */
const TELLS: Partial<Record<string, Tell>> = {
  // Authorised is not paid: the capture is.
  payment_approved: processing,
  payment_captured: succeeded,
  // The payer may try another card on the same page.
  payment_declined: failed(false),
  payment_capture_declined: failed(true),
  payment_expired: expired,
  payment_canceled: cancelled,
  payment_voided: cancelled,
  payment_refund_pending: refund('pending'),
  payment_refunded: refund('succeeded'),
  payment_refund_declined: refund('failed'),
  dispute_received: dispute('open'),
  dispute_evidence_required: dispute('open'),
  dispute_evidence_submitted: dispute('open'),
  dispute_won: dispute('won'),
  dispute_resolved: dispute('won'),
  dispute_canceled: dispute('won'),
  dispute_lost: dispute('lost'),
  dispute_accepted: dispute('lost'),
  dispute_expired: dispute('lost'),
}

/** A dispute's own id names no payment, nor does that of a try that was declined. */
function referencesOf(subject: Subject, type: string) {
  const { id, payment_id, metadata, reference, payment_reference } = subject
  if (type.startsWith('dispute_')) return [payment_reference, payment_id]
  return [metadata?.payment_id, statements.paymentsOwn(reference), type === 'payment_declined' ? null : id]
}

function translate(rawBody: Buffer, now: Date): ProviderEvent {
  const envelope = Envelope.safeParse(events.jsonOf(rawBody))
  if (!envelope.success) return events.unreadable(rawBody, envelope.error)
  const { id: eventId, type, created_on, data: value } = envelope.data
  const identity = { eventId, type, at: events.momentOf(created_on, now) }
  return events.tabled(TELLS, identity, { schema: Subject, value, references: referencesOf })
}

/** A payment's states as the API names them; general knowledge. Money that was given back had come before. */
const STATES: Partial<Record<string, TellStanding>> = {
  Authorized: processing,
  Captured: succeeded,
  'Partially Refunded': succeeded,
  Refunded: succeeded,
  Declined: failed(false),
  Canceled: cancelled,
  Voided: cancelled,
  Expired: expired,
}

/** Of a list of disputes; as documented, what `closed` means is general knowledge. */
const DISPUTE_STATES: Partial<Record<string, 'won' | 'lost'>> = {
  won: 'won',
  resolved: 'won',
  canceled: 'won',
  closed: 'lost',
  lost: 'lost',
  accepted: 'lost',
  expired: 'lost',
}

/** Where it counts otherwise than ISO 4217: as documented, pesos of Chile in hundredths, the last two digits 00. */
const exponentAt = (currency: Currency): number => (currency === 'CLP' ? 2 : exponentOf(currency))
const unitsOf = (money: Money) => amounts.unitsOf(money, exponentAt)

/** The header that Checkout.com sends with these bytes. */
export const checkoutComSignature = (secret: string, rawBody: Buffer): string =>
  signatures.hmac('sha256', secret, [rawBody], 'hex')

/** As documented: at most nine digits. */
const LIMITS = Object.fromEntries(
  Currency.options.map((currency) => [
    currency,
    {
      min: 1,
      max: rescale(999_999_999, exponentAt(currency), exponentOf(currency)) ?? 9_999_999,
    },
  ]),
)

const isPage = (reference: string): boolean => reference.startsWith('hpp_')
/** Our own ids begin as theirs do. */
const isCharge = (reference: string): boolean =>
  reference.startsWith('pay_') && !PaymentId.safeParse(reference).success

const DISPUTES_A_PAGE = 250

const apiOf = (http: ProviderHttp, apiBase: string, apiKey: string) => {
  const api = wire.jsonApi(http, apiBase, { authorization: `Bearer ${apiKey}` })
  return {
    ...api,
    page: async (id: string) =>
      wire.plainIn(Hosted, await api.get(`/hosted-payments/${encodeURIComponent(id)}`)),
    charge: async (id: string) => wire.plainIn(Charge, await api.get(`/payments/${encodeURIComponent(id)}`)),
    refunds: async (id: string) => {
      const answer = await api.get(`/payments/${encodeURIComponent(id)}/actions`)
      return (wire.plainIn(z.array(Action), answer) ?? []).filter(({ type }) => type === 'Refund')
    },
    /** All disputes of a payment; none for a key that may not read disputes. */
    disputes: (id: string): Promise<z.infer<typeof Dispute>[]> =>
      wholeList(0, async (skip) => {
        const query = `payment_id=${encodeURIComponent(id)}&limit=${DISPUTES_A_PAGE}&skip=${skip}`
        const answer = await api.get(`/disputes?${query}`)
        if (answer.status === 403 || answer.status === 404) return NO_PAGE
        const { data, total_count } = wire.answered(Disputes, answer)
        return pageOf(data ?? [], skip, total_count)
      }),
  }
}
type Api = ReturnType<typeof apiOf>

/** Reads one payment on a page: a try that was declined, or the money with all that became of it. */
async function readCharge(api: Api, id: string, now: Date): Promise<Omit<PaymentReading, 'fees'> | null> {
  const charge = await api.charge(id)
  if (!charge) return null
  const standing = events.entryOf(STATES, charge.status)?.(charge, events.momentOf(charge.requested_on, now))
  const references = [charge.metadata?.payment_id, charge.reference, id]
  const charges = standing ? [standing] : []
  if (standing?.kind !== 'succeeded') return statements.readingOf({ references, charges })
  const [refunds, disputes] = await Promise.all([api.refunds(id), api.disputes(id)])
  return statements.readingOf({
    references,
    charges,
    refunds: refunds.map(({ id: refundId, amount, approved, reference, processed_on }) =>
      statements.refundOf(events.momentOf(processed_on, now), {
        id: refundId,
        money: money({ amount, currency: charge.currency }),
        state: approved == null ? 'pending' : approved ? 'succeeded' : 'failed',
        chargeId: id,
        ours: reference,
      }),
    ),
    disputes: disputes.map((each) =>
      disputeOf(
        { ...each, payment_id: id },
        events.momentOf(each.last_update, now),
        events.entryOf(DISPUTE_STATES, each.status) ?? 'open',
      ),
    ),
  })
}

/**
 * Checkout.com's Hosted Payments Page. Callbacks carry `Cko-Signature`, HMAC-SHA256 of the body, without a time: as
 * documented. Starting and refunding were read in the official SDK, actions, disputes and a page's states in the
 * published reference; a payment's states are general knowledge: try them in the sandbox first. A page has no
 * idempotency key of its own: should an answer be lost, a second page is made for the same reference, and the payer is
 * shown one. Each try on a page is a payment of its own. A page has an end that we cannot set, and cannot be closed: it
 * is asked about until then.
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
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const signature = headers['cko-signature'] ?? ''
        return webhookSecrets.some((secret) =>
          signatures.sameText(signature, checkoutComSignature(secret, rawBody)),
        )
      },
      translate: ({ rawBody }) => [translate(rawBody, now())],
      refuses: (order) => {
        const units = unitsOf(order)
        if (units === undefined) return 'must be a whole number of units'
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
        const refused = wire.refusalOf(answer, Reason)
        if (refused) return refused
        const { id, _links } = wire.answered(Started, answer)
        return { url: _links.redirect.href, expiresAt: null, references: [id] }
      },
      readPayment: async ({ references }) => {
        const pageId = references.find(isPage)
        const page = pageId ? await api.page(pageId) : undefined
        const ids = [
          ...new Set([...references.filter(isCharge), ...(page?.payment_id ? [page.payment_id] : [])]),
        ]
        const read = await Promise.all(ids.map((id) => readCharge(api, id, now())))
        const readings = read.flatMap((reading) => reading ?? [])
        if (!page && readings.length === 0) return null
        const tries = readings.flatMap((reading) => reading.charges)
        const paid = tries.filter(({ kind }) => kind === 'succeeded')
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
        const answer = await api.post(path, request, { 'cko-idempotency-key': key })
        if (wire.isRefusal(answer)) return wire.REFUSED
        return { state: 'pending', providerRefundId: wire.answered(Refunded, answer).action_id }
      },
    }
  },
})
