import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import * as transfers from '../kit/payouts.ts'
import * as statements from '../kit/statements.ts'
import {
  numberOf,
  type PayoutOrder,
  type PayoutQuestion,
  type PayoutState,
  type ProviderPayouts,
} from '../payout-port.ts'
import { defineProvider, type PaymentQuestion, type ProviderEvent, type ProviderHttp } from '../provider.ts'

/** The greatest age of a callback, as found in secondary sources. */
const TOLERANCE_SECONDS = 300

const config = z.object({
  apiKey: settings.secret,
  webhookSecrets: settings.secrets,
  payouts: settings.payouts,
  apiBase: settings.apiBase('https://api.wave.com'),
})

const Envelope = z.object({ id: z.string().min(1), type: z.string(), data: z.unknown() })

const Session = z.object({
  id: z.string().min(1).max(255),
  amount: z.string().nullish(),
  currency: z.string().nullish(),
  client_reference: z.string().nullish(),
  transaction_id: z.string().nullish(),
  checkout_status: z.string().nullish(),
  payment_status: z.string().nullish(),
  last_payment_error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  when_completed: z.string().nullish(),
  when_refunded: z.string().nullish(),
})
type Session = z.infer<typeof Session>

/** Returns the schema of found items: copies of the documentation show a bare list or `{ result }`. */
const foundOf = <Item>(item: z.ZodType<Item>) =>
  z.union([z.array(item), z.object({ result: z.array(item) }).transform(({ result }) => result)])

const Transfer = z.object({
  id: z.string().min(1).max(255),
  status: z.string(),
  client_reference: z.string().nullish(),
  payout_error: z
    .object({ error_code: z.string().nullish(), error_message: z.string().nullish() })
    .nullish()
    .catch(null),
})
type Transfer = z.infer<typeof Transfer>
/** The payment or payout that an event is about, by our reference. */
const Referenced = z.object({ client_reference: z.string().nullish() }).catch({})

const Started = z.object({
  id: z.string().min(1),
  wave_launch_url: z.url(),
  when_expires: z.string().nullish(),
})

const Reason = z.object({ code: z.string().nullish(), message: z.string().nullish() })

const moneyOf = ({ amount, currency }: Session) => amounts.decimalMoneyOf(amount, currency)

/** Interprets a session as a charge, its end or a failed try: while the session is open, the payer may try again. */
function chargeState(session: Session, at: Timestamp): PaymentReading['charges'][number] | null {
  const { id, checkout_status, payment_status, last_payment_error: error } = session
  if (payment_status === 'succeeded') return statements.chargeOf(at, { id, money: moneyOf(session) })
  if (checkout_status === 'expired') return { kind: 'expired', at }
  if (checkout_status === 'complete' && payment_status === 'cancelled') return { kind: 'cancelled', at }
  return error ? statements.failureOf(at, { final: false, ...error }) : null
}

/** Returns an id for the one refund of a session, which covers the whole payment: Wave gives it no id. */
const refundIdOf = (session: string): string => `${session}:refund`

function refundsOf(session: Session, now: Date): StatementOf<'refund'>[] {
  const { id, when_refunded } = session
  if (!when_refunded) return []
  const at = events.momentOf(when_refunded, now)
  const fields = { id: refundIdOf(id), money: moneyOf(session), state: 'succeeded', chargeId: id } as const
  return [statements.refundOf(at, fields)]
}

const referencesOf = (session: Session) => [session.client_reference, session.id, session.transaction_id]

const interpretation = (session: Session, now: Date): events.Interpretation => ({
  references: referencesOf(session),
  statement: chargeState(session, events.momentOf(session.when_completed, now)),
})

const SESSION_EVENTS = ['checkout.session.completed', 'checkout.session.payment_failed']

function interpret(rawBody: Buffer, now: Date): ProviderEvent {
  const envelope = Envelope.safeParse(events.jsonWithTextNumbers(rawBody))
  if (!envelope.success) return events.unreadableEvent(rawBody, envelope.error)
  const { id: eventId, type, data } = envelope.data
  const payout = transfers.ownPayoutId(Referenced.parse(data).client_reference)
  if (payout) return transfers.payoutEventOf({ eventId, type }, payout)
  if (!SESSION_EVENTS.includes(type)) return events.eventOf({ eventId, type }, events.NO_PAYMENT)
  return events.eventOf(
    { eventId, type },
    events.interpret(Session, data, (session) => interpretation(session, now)),
  )
}

/** Returns the header that Wave sends with these bytes: the body follows the time directly. */
export const waveSignature = (secret: string, rawBody: Buffer, sentAtSeconds: number | string): string =>
  `t=${sentAtSeconds},v1=${signatures.hmac('sha256', secret, [String(sentAtSeconds), rawBody], 'hex')}`

const isSession = (reference: string): boolean => reference.startsWith('cos-')

const apiOf = (http: ProviderHttp, apiBase: string, apiKey: string) => {
  const api = wire.jsonApi(http, `${apiBase}/v1/checkout/sessions`, { authorization: `Bearer ${apiKey}` })
  return {
    ...api,
    session: async (id: string): Promise<Session | undefined> =>
      wire.readFoundWithTextNumbers(Session, await api.get(`/${encodeURIComponent(id)}`)),
    search: async (reference: string): Promise<Session[]> => {
      const search = new URLSearchParams({ client_reference: reference })
      return wire.readFoundWithTextNumbers(foundOf(Session), await api.get(`/search?${search}`)) ?? []
    },
  }
}
type Api = ReturnType<typeof apiOf>

/**
 * Returns the known session of a payment; without one, the sessions that carry our id. For a callback whose payment is not
 * stored, our id is the first of its references.
 */
async function sessionsOf(api: Api, { references, payment }: PaymentQuestion): Promise<Session[]> {
  const known = (payment?.references ?? references).find(isSession)
  if (known === undefined) return api.search(payment?.id ?? references[0] ?? '')
  const session = await api.session(known)
  return session ? [session] : []
}

async function read(api: Api, question: PaymentQuestion, now: Date): Promise<PaymentReading | null> {
  const sessions = await sessionsOf(api, question)
  if (sessions.length === 0) return null
  const states = sessions.flatMap(
    (session) => chargeState(session, events.momentOf(session.when_completed, now)) ?? [],
  )
  const paid = states.filter(({ kind }) => kind === 'succeeded')
  return statements.readingOf({
    references: sessions.flatMap(referencesOf),
    // Without a paid session, the first one with a state says how the payment stands.
    charges: paid.length > 0 ? paid : states.slice(0, 1),
    refunds: sessions.flatMap((session) => refundsOf(session, now)),
  })
}

const PAYOUT_STATES: Partial<Record<string, PayoutState['state']>> = {
  succeeded: 'paid',
  failed: 'failed',
  reversed: 'returned',
}

const payoutState = ({ id, status, payout_error: error }: Transfer): PayoutState =>
  transfers.payoutState(events.entryOf(PAYOUT_STATES, status) ?? 'pending', id, {
    code: error?.error_code,
    message: error?.error_message,
  })

/** Opens Wave's payouts, to Wave's own accounts alone. */
function payoutsOf(http: ProviderHttp, apiBase: string, apiKey: string): ProviderPayouts {
  const api = wire.jsonApi(http, `${apiBase}/v1`, { authorization: `Bearer ${apiKey}` })
  const find = async ({ id, reference }: PayoutQuestion): Promise<Transfer | undefined> => {
    if (reference) {
      return wire.readFoundWithTextNumbers(
        Transfer,
        await api.get(`/payout/${encodeURIComponent(reference)}`),
      )
    }
    const search = new URLSearchParams({ client_reference: id })
    const found =
      wire.readFoundWithTextNumbers(foundOf(Transfer), await api.get(`/payouts/search?${search}`)) ?? []
    return found.find(({ client_reference }) => client_reference === id)
  }
  return {
    currencies: CURRENCIES,
    takes: ({ network, country, currency }) =>
      network === 'wave' && COUNTRIES.includes(country) && CURRENCIES.includes(currency),
    smallestUnitOf: () => ONE_MINOR_UNIT,
    start: async (order: PayoutOrder) => {
      const request = {
        currency: order.currency,
        receive_amount: amounts.decimalTextOf(order),
        mobile: numberOf(order.target),
        name: order.target.holder,
        client_reference: order.id,
        payment_reason: 'Payout',
      }
      const answer = await api.post('/payout', request, { 'idempotency-key': order.id }, wire.NO_RETRY)
      return (
        transfers.refusedPayout(answer, Reason) ??
        payoutState(wire.readAnswerWithTextNumbers(Transfer, answer))
      )
    },
    read: async (question) => {
      const found = await find(question)
      return found ? payoutState(found) : null
    },
  }
}

const ONE_MINOR_UNIT = 1
const CURRENCIES = amounts.currencies('XOF')
const COUNTRIES = ['BF', 'CI', 'ML', 'SN']

/** Whether a refund is refused, by the code alone: copies of the documentation differ in the status. */
const isRefundRefused = ({ body }: { body: string }): boolean => body.includes('checkout-refund-failed')

/**
 * Wave's checkout page. Callbacks carry `Wave-Signature`, HMAC-SHA256 over time and body, or the secret itself as a bearer
 * token: then the body is not signed, and the payment is read. The endpoints are as documented. Their fields, the states
 * and the codes of errors were read in copies of the documentation. The signature and `when_refunded` are from secondary
 * sources: try them with a test account first. A page closes at `when_expires`, half an hour after it was made; `expire`
 * closes it earlier. A refund covers the whole payment and has no note; refunds have no event. No document names the bounds
 * of an amount. Payouts are as documented: they go out under an idempotency key, carry our id as their reference, and are
 * found by it. No document names an event of payouts: an event with our reference only points at the payout.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, webhookSecrets, payouts, apiBase }, { http, now, publicUrl }) => {
    const api = apiOf(http, apiBase, apiKey)
    return {
      currencies: CURRENCIES,
      countries: COUNTRIES,
      callbackMethods: ['POST'],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const checks = { secrets: webhookSecrets, now: now(), toleranceSeconds: TOLERANCE_SECONDS }
        const signed = (sentAt: string) => [sentAt, rawBody]
        if (signatures.isSignedInTime(headers['wave-signature'], signed, checks)) return 'signed'
        // The other way to register a webhook: the secret itself is sent, and the body is not signed.
        const bearer = (secret: string) => `Bearer ${secret}`
        return signatures.isMadeByAny(headers['authorization'], webhookSecrets, bearer) ? 'sender' : 'forged'
      },
      interpret: ({ rawBody }) => [interpret(rawBody, now())],
      start: async (order) => {
        const returnUrl = order.returnUrl ?? publicUrl
        const request = {
          amount: amounts.decimalTextOf(order),
          currency: order.currency,
          client_reference: order.id,
          success_url: returnUrl,
          error_url: returnUrl,
        }
        const answer = await api.post('', request, { 'idempotency-key': order.id })
        const refused = wire.refusalOf(answer, Reason)
        if (refused) return refused
        const { id, wave_launch_url: url, when_expires } = wire.readAnswer(Started, answer)
        return { url, expiresAt: events.namedMoment(when_expires), references: [id] }
      },
      close: async ({ references }) => {
        const id = references.find(isSession)
        if (!id) return false
        const { status } = await api.post(`/${encodeURIComponent(id)}/expire`, {}, undefined, wire.RETRY)
        return status < 300 || (await api.session(id))?.checkout_status === 'expired'
      },
      ...(payouts && { payouts: payoutsOf(http, apiBase, apiKey) }),
      readPayment: (question) => read(api, question, now()),
      refundsWholeOnly: true,
      startRefund: async ({ key, payment, chargeId }) => {
        const session = chargeId ?? payment.references.find(isSession)
        if (!session) return wire.REFUSED
        const path = `/${encodeURIComponent(session)}/refund`
        const answer = await api.post(path, {}, { 'idempotency-key': key }, wire.NO_RETRY)
        if (wire.isRefusal(answer) || isRefundRefused(answer)) return wire.REFUSED
        wire.requireSuccess(answer)
        return { state: 'succeeded', providerRefundId: refundIdOf(session) }
      },
    }
  },
})
