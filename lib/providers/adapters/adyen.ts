import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { type Currency, exponentOf, type Money } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import * as statements from '../kit/statements.ts'
import { type CallbackRequest, defineProvider, type ProviderEvent } from '../provider.ts'

/** The HMAC key of a webhook, in hex as Adyen shows it. */
const HmacKey = settings.secret
  .regex(/^([0-9A-Fa-f]{2})+$/, 'is not hex')
  .transform((hex) => Buffer.from(hex, 'hex'))

const config = z.object({
  apiKey: settings.secret,
  merchantAccount: settings.identifier,
  webhookSecrets: z.array(HmacKey).min(1),
  /** Live accounts have an address of their own, `https://….adyenpayments.com/checkout`. */
  apiBase: settings.apiBase('https://checkout-test.adyen.com'),
})

/** Exactly the signed fields and the signature: other fields of an item are not read. */
const Item = z.object({
  pspReference: z.string(),
  originalReference: z.string().nullish(),
  merchantAccountCode: z.string(),
  /** May be missing; it is then signed as an empty text. */
  merchantReference: z
    .string()
    .nullish()
    .transform((reference) => reference ?? ''),
  amount: z.object({ value: z.number(), currency: z.string() }),
  eventCode: z.string(),
  success: z.string(),
  additionalData: z.object({ hmacSignature: z.string() }),
})
type Item = z.infer<typeof Item>

const Callback = z.object({ notificationItems: z.array(z.object({ NotificationRequestItem: Item })).min(1) })

const text = z.string().nullish()
const Link = z.object({ id: z.string().min(1), url: z.url(), expiresAt: text, status: text })
const MadeRefund = z
  .object({ pspReference: z.string().min(1) })
  .transform(({ pspReference }) => ({ state: 'pending' as const, providerRefundId: pspReference }))
const Reason = z
  .object({ errorCode: text, message: text })
  .transform(({ errorCode, message }) => ({ code: errorCode, message }))

/** The digest of an item's signed fields, joined without escaping, as the official SDK does. */
export function adyenSignature(key: Buffer, item: Omit<Item, 'additionalData'>): string {
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount } = item
  const fields = [pspReference, originalReference ?? '', merchantAccountCode, merchantReference]
  const signed = [...fields, amount.value, amount.currency, item.eventCode, item.success].join(':')
  return signatures.hmac('sha256', key, [signed], 'base64')
}

/** Whether a webhook is signed: each of its items must be. Webhooks about the platform itself are signed as a whole, in a header. */
function isSigned({ headers, rawBody }: CallbackRequest, keys: readonly Buffer[]): boolean {
  const header = headers['hmacsignature']
  if (header !== undefined)
    return signatures.isMadeByAny(header, keys, (key) => signatures.hmac('sha256', key, [rawBody], 'base64'))
  const items = Callback.safeParse(events.jsonOf(rawBody)).data?.notificationItems ?? []
  const areSigned = items.map(({ NotificationRequestItem: item }) =>
    signatures.isMadeByAny(item.additionalData.hmacSignature, keys, (key) => adyenSignature(key, item)),
  )
  return areSigned.length > 0 && areSigned.every(Boolean)
}

/** Webhooks that Adyen never signs (its PHP library, `isHmacSupportedEventCode`): a report is ready, which is about no payment. */
const Reports = z.object({
  notificationItems: z
    .array(
      z.object({
        NotificationRequestItem: z.object({
          eventCode: z.literal('REPORT_AVAILABLE'),
          additionalData: z.object({ hmacSignature: z.undefined().optional() }).nullish(),
        }),
      }),
    )
    .min(1),
})

/** Whether a webhook is only about reports. Refused, it would hold up all that Adyen sends after it. */
const isAboutReports = ({ headers, rawBody }: CallbackRequest): boolean =>
  headers['hmacsignature'] === undefined && Reports.safeParse(events.jsonOf(rawBody)).success

type Interpreter = events.Interpreter<Item>

const isSuccess = ({ success }: Item): boolean => success === 'true'
const moneyOf = ({ amount }: Pick<Item, 'amount'>) =>
  amounts.moneyOf(amount.value, amount.currency, exponentAt)

/** A change to a payment has a reference of its own; the payment's is then `originalReference`. */
const chargeIdOf = ({ originalReference, pspReference }: Item): string => originalReference || pspReference

const authorised: Interpreter = (item, at) =>
  isSuccess(item)
    ? statements.chargeOf(at, { id: chargeIdOf(item), money: moneyOf(item) })
    : // The payer may try another card on the same link.
      statements.failureOf(at, { final: false, code: 'refused', message: 'The payment was refused.' })

const captured: Interpreter = (item, at) =>
  isSuccess(item)
    ? statements.chargeOf(at, {
        id: chargeIdOf(item),
        money: moneyOf(item),
        captureId: item.pspReference,
      })
    : takenBack(item, at)

/** A capture that failed has the reference of the capture, a cancellation one of its own. */
const takenBack = (item: Item, at: Timestamp): StatementOf<'taken_back'> => ({
  kind: 'taken_back',
  at,
  chargeId: chargeIdOf(item),
  captureId: item.pspReference,
  code: item.eventCode === 'CANCELLATION' ? 'cancelled' : 'capture_failed',
})

const refund =
  (state: 'succeeded' | 'failed'): Interpreter =>
  (item, at) =>
    statements.refundOf(at, {
      id: item.pspReference,
      money: moneyOf(item),
      state: isSuccess(item) ? state : 'failed',
      chargeId: item.originalReference,
      ours: item.merchantReference,
    })

/**
 * The stages of a dispute in Adyen's order, and the dispute's state in each. Adyen does not say which side accepts or
 * declines a pre-arbitration. So an accepted one counts as lost, and a declined one stays open.
 */
const STAGES: readonly (readonly [eventCode: string, state: StatementOf<'dispute'>['state']])[] = [
  ['REQUEST_FOR_INFORMATION', 'inquiry'],
  ['NOTIFICATION_OF_CHARGEBACK', 'open'],
  ['CHARGEBACK', 'open'],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', 'lost'],
  ['CHARGEBACK_REVERSED', 'won'],
  ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'won'],
  ['SECOND_CHARGEBACK', 'lost'],
  ['PREARBITRATION_OPEN', 'open'],
  ['PREARBITRATION_DECLINED', 'open'],
  ['PREARBITRATION_ACCEPTED', 'lost'],
  ['PREARBITRATION_LOST', 'lost'],
  ['PREARBITRATION_ISSUER_WITHDRAWN', 'won'],
  ['PREARBITRATION_WON', 'won'],
  ['SCHEME_ARBITRATION', 'open'],
  ['SCHEME_ARBITRATION_LOST', 'lost'],
  ['SCHEME_ARBITRATION_WON', 'won'],
]

/** Every stage of a dispute has the dispute's own reference. No time is signed: the latest stage counts. */
const dispute =
  (state: StatementOf<'dispute'>['state'], stage: number): Interpreter =>
  (item, at) => ({
    ...statements.disputeOf(at, {
      id: item.pspReference,
      state,
      money: moneyOf(item),
      chargeId: chargeIdOf(item),
    }),
    stage,
  })

/**
 * Adyen's published webhooks. Our links are captured at once, and then no CAPTURE is reported: the authorisation is the
 * money. Any other event is about no payment.
 */
const INTERPRETERS: Partial<Record<string, Interpreter>> = {
  AUTHORISATION: authorised,
  CAPTURE: captured,
  CAPTURE_FAILED: takenBack,
  CANCELLATION: (item, at) => (isSuccess(item) ? takenBack(item, at) : null),
  REFUND: refund('succeeded'),
  // A refund that had succeeded may still fail.
  REFUND_FAILED: refund('failed'),
  REFUNDED_REVERSED: refund('failed'),
  ...Object.fromEntries(STAGES.map(([eventCode, state], stage) => [eventCode, dispute(state, stage)])),
}

/** Items whose signature does not cover what happened: an administrator has to look it up at Adyen. */
const FAULTS: Partial<Record<string, string>> = {
  CANCEL_OR_REFUND: 'whether it was cancelled or refunded is not signed',
}

function eventOf(item: Item, now: Date): ProviderEvent {
  const { eventCode: type, pspReference, success, merchantReference } = item
  const identity = { eventId: [type, pspReference, success].join(':'), type }
  const interpret = events.entryOf(INTERPRETERS, type)
  const fault = events.entryOf(FAULTS, type)
  if (!interpret) return events.eventOf(identity, fault === undefined ? events.NO_PAYMENT : { fault })
  // A try that was refused has a reference that names no payment.
  const isRefused = type === 'AUTHORISATION' && !isSuccess(item)
  // A capture, cancellation or refund has a `merchantReference` of its own, which many payments may share.
  const isChange = /^(CAPTURE|CANCEL|REFUND)/.test(type)
  const own = isChange ? statements.ownPaymentId(merchantReference) : merchantReference
  const references = [own, isRefused ? null : chargeIdOf(item)]
  return events.eventOf(identity, { references, statement: interpret(item, timestamp(now)) })
}

function interpret(rawBody: Buffer, now: Date): ProviderEvent[] {
  const callback = Callback.safeParse(events.jsonOf(rawBody))
  if (callback.success) {
    return callback.data.notificationItems.map((item) => eventOf(item.NotificationRequestItem, now))
  }
  return [events.eventOf({ eventId: signatures.sha256(rawBody), type: 'platform' }, events.NO_PAYMENT)]
}

/** Where Adyen counts otherwise than ISO 4217. Adyen docs: "Currency codes and minor units". */
const EXPONENTS: Partial<Record<Currency, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 }
const exponentAt = (currency: Currency): number => EXPONENTS[currency] ?? exponentOf(currency)
const unitsOf = (money: Money) => amounts.unitsOf(money, exponentAt)

/** The same request is under way, or was carried out: its outcome is not known from this answer. */
const IN_PROGRESS = '704'

/**
 * Adyen's payment links, captured at once. Each item of a callback carries its own HMAC-SHA256 over eight fields,
 * tested against the official SDK; only these fields are believed. Stages have no time, so the latest stage decides a
 * dispute in any order of callbacks. Links, their expiry, closing and refunds follow Adyen's published API, which names
 * no largest amount, and does not document code 704 (a request in progress). No API reads a payment: every callback
 * names its subject, and is sent for 30 days until it is accepted.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, merchantAccount, webhookSecrets, apiBase }, { http, now, publicUrl }) => {
    const api = wire.jsonApi(http, `${apiBase}/v72`, { 'x-api-key': apiKey })
    return {
      currencies: 'any',
      countries: 'any',
      callbackMethods: ['POST'],
      acknowledgement: { status: 200, headers: { 'content-type': 'text/plain' }, body: '[accepted]' },
      verify: (request) => {
        if (isSigned(request, webhookSecrets)) return 'signed'
        return isAboutReports(request) ? 'unsigned' : 'forged'
      },
      interpret: ({ rawBody }) => interpret(rawBody, now()),
      refuses: (order) => (unitsOf(order) === undefined ? 'must be a whole number of units' : undefined),
      start: async (order) => {
        const request = {
          merchantAccount,
          reference: order.id,
          amount: { value: unitsOf(order), currency: order.currency },
          captureDelayHours: 0,
          shopperEmail: order.email,
          description: order.purpose,
          returnUrl: order.returnUrl ?? publicUrl,
          expiresAt: order.expiresAt,
        }
        const answer = await api.post('/paymentLinks', request, { 'idempotency-key': order.id })
        const refused = wire.refusalOf(answer, Reason)
        if (refused && refused.refused.providerCode !== IN_PROGRESS) return refused
        // Throws for a request in progress, whose outcome is not known.
        const { id, url, expiresAt } = wire.readAnswer(Link, answer)
        return { url, expiresAt: events.namedMoment(expiresAt), references: [id] }
      },
      close: async ({ references }) => {
        const link = references.find(isLink)
        if (!link) return false
        const path = `/paymentLinks/${encodeURIComponent(link)}`
        const answer = await api.patch(path, { status: 'expired' })
        if (!wire.isRefusal(answer)) return wire.readAnswer(Link, answer).status === 'expired'
        // An expired or paid link refuses.
        return wire.readFound(Link, await api.get(path))?.status === 'expired'
      },
      startRefund: async ({ id, key, payment, chargeId, amount, currency }) => {
        const paid = chargeId ?? payment.references.find((reference) => !isLink(reference))
        if (!paid) return wire.REFUSED
        const request = {
          merchantAccount,
          amount: { value: unitsOf({ amount, currency }), currency },
          reference: id,
        }
        const path = `/payments/${encodeURIComponent(paid)}/refunds`
        const answer = await api.post(path, request, { 'idempotency-key': key }, wire.NO_RETRY)
        const isInProgress = wire.refusalOf(answer, Reason)?.refused.providerCode === IN_PROGRESS
        if (wire.isRefusal(answer) && !isInProgress) return wire.REFUSED
        // Throws for a request in progress, as `start` does.
        return wire.readAnswer(MadeRefund, answer)
      },
    }
  },
})

/** Whether a reference is a link's id: it begins with `PL` in the samples seen. A payment's is sixteen letters and digits. */
const isLink = (reference: string): boolean => reference.startsWith('PL')
