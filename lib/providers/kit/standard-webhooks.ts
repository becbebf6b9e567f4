import { createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import * as z from 'zod'
import { Timestamp, unixSeconds } from '#lib/kernel/clock'
import { AMOUNT_LIMIT, Money } from '#lib/kernel/money'
import {
  sameText,
  signatureBytes,
  standardWebhookContent,
  standardWebhookSignature,
} from '#lib/kernel/signatures'
import { fieldErrors, validationFailed } from '#lib/kernel/validation-problem'
import { boundedId } from '#lib/payments/state/fact'
import type { CallbackRequest, ProviderEvent } from '#lib/providers/provider'
import * as settings from './config.ts'
import * as events from './events.ts'
import * as statements from './statements.ts'

/** The limit of the Standard Webhooks libraries, in both directions. */
const TOLERANCE_SECONDS = 300

/** A live secret: a shared key, or the sender's public key. `hasPrefix`: it was configured as `whsec_…`. */
type Key = { hmacKey: Buffer; hasPrefix: boolean } | { publicKey: KeyObject }

/** `whsec_` and base64, or base64 alone: a shared key. `whpk_` and base64: the sender's Ed25519 public key. */
const Key = settings.secret.transform((text, context): Key => {
  const isPublic = text.startsWith('whpk_')
  const encoded = text.replace(/^wh(sec|pk)_/, '')
  const bytes = Buffer.from(encoded, 'base64')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || (isPublic && bytes.length !== 32)) {
    context.addIssue({ code: 'custom', message: 'is not whsec_ or whpk_ and base64' })
    return z.NEVER
  }
  if (!isPublic) return { hmacKey: bytes, hasPrefix: text.startsWith('whsec_') }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }
  return { publicKey: createPublicKey({ format: 'jwk', key: jwk }) }
})

/** The live secrets, at least one. */
export const StandardWebhooksKeys = z.array(Key).min(1)

/**
 * Returns the key with which we sign what the operator's payment gateway receives: the first one written `whsec_…`. A key
 * without the prefix only verifies: the registry's check of `needs` finds the signing key by its prefix.
 */
export const sharedKeyOf = (keys: readonly Key[]): Buffer | undefined =>
  keys.flatMap((key) => ('hmacKey' in key && key.hasPrefix ? key.hmacKey : []))[0]

/** The headers that `interpretStandardWebhook` reads. */
export const STANDARD_WEBHOOKS_HEADERS = ['webhook-id']

/**
 * Whether one of the keys signed these bytes, at most 300 s before or after now (Standard Webhooks specification
 * 1.0.0). `v1` is HMAC-SHA256, `v1a` Ed25519; other versions are passed over. Tested against standardwebhooks@1.1.1;
 * `v1a`, which no library has, against Node's own Ed25519 only.
 */
export function isSignedStandardWebhook(request: CallbackRequest, keys: readonly Key[], now: Date): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt = '', 'webhook-signature': header } = request.headers
  if (!id || !header || !/^\d{1,15}$/.test(sentAt)) return false
  if (Math.abs(unixSeconds(now) - Number(sentAt)) > TOLERANCE_SECONDS) return false
  const signed = standardWebhookContent(id, sentAt, request.rawBody)
  const offered = header.split(' ').map((entry) => entry.split(','))
  return keys.some((key) =>
    offered.some(([version, signature = '']) => isSignedBy(key, signed, version, signature)),
  )
}

function isSignedBy(key: Key, signed: Buffer, version: string | undefined, signature: string): boolean {
  if ('hmacKey' in key) {
    return version === 'v1' && sameText(signature, standardWebhookSignature(key.hmacKey, signed))
  }
  const bytes = signatureBytes(signature, 'base64')
  return version === 'v1a' && bytes?.length === 64 && verifySignature(null, signed, key.publicKey, bytes)
}

const id = z
  .string()
  .min(1)
  .max(255)
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
const words = z.string().nullish()
const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .pipe(Timestamp)
const money = {
  amount: z.int().min(1).max(AMOUNT_LIMIT),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'),
}
/** Returns null for a currency that we do not know: such money matches no payment. */
const moneyOf = (named: { amount: number; currency: string }) => Money.safeParse(named).data ?? null

/** The meaning of a message's data, once the message's time is known, which stands outside the data. */
type Interpret = (at: Timestamp) => events.Interpretation

/** The data of the four messages of `lib/docs/guides/gateway.md`. `reference` is our payment's id. */
const DATA: Record<string, z.ZodType<Interpret>> = {
  'payment.succeeded': z.object({ id, reference: id, ...money }).transform((data) => (at) => ({
    // Only together with our id does the charge's id count: alone it could be that of another payment.
    references: statements.ownPaymentId(data.reference) ? [data.reference, data.id] : [data.reference],
    statement: statements.chargeOf(at, { id: data.id, money: moneyOf(data) }),
  })),
  'payment.failed': z
    .object({
      reference: id,
      // Checked only: a failed try has no charge.
      id: id.nullish(),
      status: z.enum(['failed', 'cancelled', 'expired']).nullish(),
      code: words,
      message: words,
    })
    .transform(({ reference, status, code, message }) => (at) => ({
      references: [reference],
      statement:
        status === 'cancelled' || status === 'expired'
          ? { kind: status, at }
          : statements.failureOf(at, { code, message }),
    })),
  'payment.refunded': z
    .object({
      reference: id,
      refund_id: id,
      status: z.enum(['pending', 'succeeded', 'failed']),
      ...money,
      charge_id: id.nullish(),
      reason: words,
    })
    .transform((data) => (at) => ({
      references: [data.reference],
      statement: statements.refundOf(at, {
        id: data.refund_id,
        money: moneyOf(data),
        state: data.status,
        chargeId: data.charge_id,
        reason: data.reason,
      }),
    })),
  'payment.disputed': z
    .object({
      reference: id,
      dispute_id: id,
      status: z.enum(['inquiry', 'opened', 'won', 'lost']),
      ...money,
      charge_id: id.nullish(),
      respond_by: moment.nullish(),
      reason: words,
    })
    .transform((data) => (at) => ({
      references: [data.reference],
      statement: statements.disputeOf(at, {
        id: data.dispute_id,
        state: data.status === 'opened' ? 'open' : data.status,
        money: moneyOf(data),
        chargeId: data.charge_id,
        reason: data.reason,
        respondBy: data.respond_by,
      }),
    })),
}

const messageOf = (data: z.ZodType<Interpret>) =>
  z.object({ timestamp: moment, data }).transform(({ timestamp, data }) => data(timestamp))

/** The four messages, each made once: Zod compiles a schema when it first parses with it. */
const MESSAGES = Object.fromEntries(Object.entries(DATA).map(([type, data]) => [type, messageOf(data)]))

/** The schema for a body of another type, which always fails: its errors name the four types, and any other fault. */
const Unknown = z
  .object({ type: z.enum(Object.keys(DATA)), timestamp: moment, data: z.looseObject({}) })
  .transform(() => events.NO_PAYMENT)

const Typed = z.object({ type: z.string() })
/** The errors of a body that is not JSON. */
const NO_JSON = [{ path: '', code: 'invalid_type', message: 'must be JSON' }]

/** Reads one of the four messages. For any other body, JSON or not, `errors` names the faults. */
export function interpretStandardWebhook({ headers, rawBody }: CallbackRequest): ProviderEvent {
  const eventId = boundedId(headers['webhook-id'] ?? '')
  const body = events.jsonOf(rawBody)
  const { type = 'unreadable' } = Typed.safeParse(body).data ?? {}
  const schema = events.entryOf(MESSAGES, type) ?? Unknown
  // `fieldErrors` needs the input of each issue.
  const read = schema.safeParse(body, { reportInput: true })
  if (read.success) return events.eventOf({ eventId, type }, read.data)
  const errors = body === undefined ? NO_JSON : fieldErrors(read.error)
  const fault = validationFailed(errors).message
  return { ...events.eventOf({ eventId, type }, { fault }), errors }
}
