import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import type { Statement } from '../fact.ts'
import { defineFirstProvider } from '../provider/first-port.ts'
import * as amounts from '../provider/kit/amounts.ts'
import * as wire from '../provider/kit/api.ts'
import * as settings from '../provider/kit/config.ts'
import * as events from '../provider/kit/events.ts'
import * as signatures from '../provider/kit/signatures.ts'
import * as statements from '../provider/kit/statements.ts'
import type { CallbackRequest, ProviderEvent } from '../provider/provider.ts'

/** How old a callback may be; from secondary sources. */
const TOLERANCE_SECONDS = 300

const config = z.object({
  apiKey: settings.secret,
  webhookSecrets: settings.secrets,
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
})
type Session = z.infer<typeof Session>

/** How the API answers a search is not documented where we could read it. */
const Found = z.object({ result: z.array(Session) })

const Started = z.object({
  id: z.string().min(1),
  wave_launch_url: z.url(),
  when_expires: z.string().nullish(),
})

/** A refused try is not the end: the session stays open for another. */
function statementOf(session: Session, at: Timestamp): Statement | null {
  const { amount, currency, checkout_status, payment_status, last_payment_error: error } = session
  if (payment_status === 'succeeded')
    return { kind: 'succeeded', at, money: amounts.decimalMoneyOf(amount, currency) }
  if (checkout_status === 'expired') return { kind: 'expired', at }
  if (!error) return null
  return statements.failed(at, { final: false, ...error })
}

const told = (session: Session, now: Date): events.Told => ({
  references: [session.client_reference, session.id, session.transaction_id],
  statement: statementOf(session, events.momentOf(session.when_completed, now)),
})

const SESSION_EVENTS = ['checkout.session.completed', 'checkout.session.payment_failed']

function translate(rawBody: Buffer, now: Date): ProviderEvent {
  const envelope = Envelope.safeParse(events.exactJsonOf(rawBody))
  if (!envelope.success) return events.unreadable(rawBody, envelope.error)
  const { id: eventId, type, data } = envelope.data
  if (!SESSION_EVENTS.includes(type)) return events.eventOf({ eventId, type }, events.NOTHING)
  return events.eventOf(
    { eventId, type },
    events.told(Session, data, (session) => told(session, now)),
  )
}

/** The header that Wave sends with these bytes: nothing stands between the time and the body. */
export const waveSignature = (secret: string, rawBody: Buffer, sentAtSeconds: number | string): string =>
  `t=${sentAtSeconds},v1=${signatures.hmac('sha256', secret, [String(sentAtSeconds), rawBody], 'hex')}`

/** The other way to register a webhook: the secret itself is sent, which says nothing of the body. */
const isBearer = ({ headers }: CallbackRequest, secrets: readonly string[]): boolean =>
  secrets.some((secret) => signatures.sameText(headers['authorization'] ?? '', `Bearer ${secret}`))

/** What the API says of a session, under an id made of its state. */
function asked(session: Session, now: Date): ProviderEvent {
  const { id, checkout_status, payment_status, amount, currency } = session
  const eventId = [id, checkout_status, payment_status, amount, currency].join(':')
  return events.eventOf({ eventId, type: 'checkout.session' }, told(session, now))
}

const isSession = (reference: string): boolean => reference.startsWith('cos-')

/**
 * Wave's checkout page. Callbacks carry `Wave-Signature`, HMAC-SHA256 over time and body, or the secret itself as
 * a bearer token: its contents are then confirmed. The signature is from secondary sources, the endpoints are as
 * documented, what they take and answer is general knowledge: try it with a test account first. A refund is of
 * the whole payment; no event tells of one.
 */
export const provider = defineFirstProvider({
  config,
  open: ({ apiKey, webhookSecrets, apiBase }, { http, now, publicUrl }) => {
    const api = wire.jsonApi(http, `${apiBase}/v1/checkout/sessions`, { authorization: `Bearer ${apiKey}` })
    return {
      currencies: ['XOF'],
      countries: ['BF', 'CI', 'ML', 'SN'],
      methods: ['POST'],
      readsHeaders: [],
      acknowledgement: events.ACKNOWLEDGED,
      verify: (request) => {
        const checks = { secrets: webhookSecrets, now: now(), toleranceSeconds: TOLERANCE_SECONDS }
        const signed = (sentAt: string) => [sentAt, request.rawBody]
        if (signatures.isSignedInTime(request.headers['wave-signature'], signed, checks)) return true
        return isBearer(request, webhookSecrets) && 'sender'
      },
      translate: ({ rawBody }) => [translate(rawBody, now())],
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
        const { id, wave_launch_url: url, when_expires } = wire.answered(Started, answer)
        return { url, expiresAt: events.namedMoment(when_expires), references: [id] }
      },
      ask: async ({ references, payment }) => {
        const id = (payment?.references ?? references).find(isSession)
        if (id) {
          const session = wire.foundIn(Session, await api.get(`/${encodeURIComponent(id)}`))
          return session ? [asked(session, now())] : []
        }
        const search = new URLSearchParams({ client_reference: payment?.id ?? references[0] ?? '' })
        const found = wire.foundIn(Found, await api.get(`/search?${search}`))
        return (found?.result ?? []).map((session) => asked(session, now()))
      },
      refund: async ({ id, payment, amount }) => {
        const session = payment.references.find(isSession)
        if (!session || amount !== payment.amount) return wire.REFUSED
        const answer = await api.post(`/${session}/refund`, {}, { 'idempotency-key': id })
        if (wire.isRefusal(answer)) return wire.REFUSED
        wire.taken(answer)
        return { state: 'succeeded', providerRefundId: null }
      },
      cancel: async ({ references }) => {
        const session = references.find(isSession)
        if (session) await api.post(`/${session}/expire`, {}, {})
      },
    }
  },
})
