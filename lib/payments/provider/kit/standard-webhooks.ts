import { createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import { signatureOf, signedContent } from '#lib/kernel/standard-webhooks'
import type { Statement } from '#lib/payments/fact'
import type { CallbackRequest, ProviderEvent } from '#lib/payments/provider/provider'
import * as amounts from './amounts.ts'
import * as settings from './config.ts'
import * as events from './events.ts'
import * as signatures from './signatures.ts'
import * as statements from './statements.ts'

/** The libraries' own limit, in both directions. */
const TOLERANCE_SECONDS = 300

/** A live secret: a key of our own to compare by, or the public key of the sender's. */
type Key = { hmacKey: Buffer } | { publicKey: KeyObject }

/** `whsec_` and base64, or base64 alone: a shared key. `whpk_` and base64: the sender's Ed25519 public key. */
const Key = settings.secret.transform((text, context): Key => {
  const isPublic = text.startsWith('whpk_')
  const encoded = text.replace(/^wh(sec|pk)_/, '')
  const bytes = Buffer.from(encoded, 'base64')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || (isPublic && bytes.length !== 32)) {
    context.addIssue({ code: 'custom', message: 'is not whsec_ or whpk_ and base64' })
    return z.NEVER
  }
  if (!isPublic) return { hmacKey: bytes }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }
  return { publicKey: createPublicKey({ format: 'jwk', key: jwk }) }
})

/** The live secrets, at least one. */
export const StandardWebhooksKeys = z.array(Key).min(1)

/** The headers that `translateStandardWebhook` reads. */
export const STANDARD_WEBHOOKS_HEADERS = ['webhook-id']

/**
 * Whether any of the keys signed these bytes, at most 300 s before or after now, as the Standard Webhooks
 * specification 1.0.0 says: `v1` is HMAC-SHA256, `v1a` Ed25519, any other version is passed over. Run against
 * standardwebhooks@1.1.1; `v1a`, which no library has, against Node's own Ed25519 only.
 */
export function verifyStandardWebhook(request: CallbackRequest, keys: readonly Key[], now: Date): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': header } = request.headers
  if (!id || !header || !/^\d{1,15}$/.test(sentAt ?? '')) return false
  if (Math.abs(Math.floor(now.getTime() / 1000) - Number(sentAt)) > TOLERANCE_SECONDS) return false
  const signed = signedContent(id, sentAt ?? '', request.rawBody)
  const offered = header.split(' ').map((entry) => entry.split(','))
  return keys.some((key) =>
    offered.some(([version, signature = '']) => isSignedBy(key, signed, version, signature)),
  )
}

function isSignedBy(key: Key, signed: Buffer, version: string | undefined, signature: string): boolean {
  if ('hmacKey' in key) {
    return version === 'v1' && signatures.sameText(signature, signatureOf(key.hmacKey, signed))
  }
  const bytes = Buffer.from(signature, 'base64')
  return version === 'v1a' && bytes.length === 64 && verifySignature(null, signed, key.publicKey, bytes)
}

const text = z.string().max(255)
const Message = z.object({ type: z.string(), timestamp: z.string().nullish(), data: z.unknown() })
const Data = z.object({
  id: text.nullish(),
  refund_id: text.nullish(),
  dispute_id: text.nullish(),
  /** Which charge a refund or a dispute is about; without it the one that `id` names, else the first. */
  charge_id: text.nullish(),
  respond_by: z.string().nullish(),
  reference: text.nullish(),
  amount: z.number().nullish(),
  currency: z.string().nullish(),
  status: z.string().nullish(),
  code: z.string().nullish(),
  message: z.string().nullish(),
  reason: z.string().max(1000).nullish(),
})
type Data = z.infer<typeof Data>

type Tell = (data: Data, at: Timestamp, eventId: string) => Statement

const money = ({ amount, currency }: Data) => amounts.moneyOf(amount, currency)

/** `status` tells a payment that was given up from one that was declined. */
const failed: Tell = ({ status, code, message }, at) => {
  if (status === 'cancelled' || status === 'expired') return { kind: status, at }
  const words = {
    code: events.clipped(code, 'payment_failed'),
    message: events.clipped(message, 'The payment failed.'),
  }
  return { kind: 'failed', at, final: true, ...words }
}

/** A refund without an id of its own is known by the message that told of it. */
const refunded: Tell = (data, at, eventId) =>
  statements.refundOf(at, {
    id: data.refund_id || eventId,
    money: money(data),
    state: data.status === 'pending' || data.status === 'failed' ? data.status : 'succeeded',
    chargeId: data.charge_id ?? data.id,
    reason: data.reason,
  })

const DISPUTE_STATES = { inquiry: 'inquiry', won: 'won', lost: 'lost' } as const

const disputed: Tell = (data, at, eventId) =>
  statements.disputeOf(at, {
    id: data.dispute_id || data.id || data.reference || eventId,
    state: events.entryOf(DISPUTE_STATES, data.status) ?? 'open',
    money: money(data),
    chargeId: data.charge_id,
    reason: data.reason,
    respondBy: data.respond_by,
  })

const TELLS: Partial<Record<string, Tell>> = {
  'payment.succeeded': (data, at) => statements.chargeOf(at, { id: data.id, money: money(data) }),
  'payment.failed': failed,
  'payment.refunded': refunded,
  'payment.disputed': disputed,
}

/** Reads the four messages of the contract, section 8; any other type concerns no payment. */
export function translateStandardWebhook({ headers, rawBody }: CallbackRequest, now: Date): ProviderEvent[] {
  const message = Message.safeParse(events.jsonOf(rawBody))
  const eventId = events.boundedId(headers['webhook-id'] ?? '')
  if (!message.success) return [{ ...events.unreadable(rawBody, message.error), eventId }]
  const { type, timestamp, data } = message.data
  const tell = events.entryOf(TELLS, type)
  if (!tell) return [events.eventOf({ eventId, type }, events.NOTHING)]
  const told = events.told(Data, data, (subject) => ({
    references: [subject.reference, subject.id],
    statement: tell(subject, events.momentOf(timestamp, now), eventId),
  }))
  return [events.eventOf({ eventId, type }, told)]
}
