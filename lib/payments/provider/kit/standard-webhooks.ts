import { createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import type { Statement } from '#lib/payments/fact'
import type { CallbackRequest, ProviderEvent } from '#lib/payments/provider/provider'
import * as kit from './kit.ts'

/** The libraries' own limit, in both directions. */
const TOLERANCE_SECONDS = 300

/** A live secret: a key of our own to compare by, or the public key of the sender's. */
type Key = { hmacKey: Buffer } | { publicKey: KeyObject }

/** `whsec_` and base64, or base64 alone: a shared key. `whpk_` and base64: the sender's Ed25519 public key. */
const Key = kit.secret.transform((text, context): Key => {
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
  const signed = Buffer.concat([Buffer.from(`${id}.${sentAt}.`), request.rawBody])
  const offered = header.split(' ').map((entry) => entry.split(','))
  return keys.some((key) =>
    offered.some(([version, signature = '']) => isSignedBy(key, signed, version, signature)),
  )
}

function isSignedBy(key: Key, signed: Buffer, version: string | undefined, signature: string): boolean {
  if ('hmacKey' in key) {
    return version === 'v1' && kit.sameText(signature, kit.hmac('sha256', key.hmacKey, [signed], 'base64'))
  }
  const bytes = Buffer.from(signature, 'base64')
  return version === 'v1a' && bytes.length === 64 && verifySignature(null, signed, key.publicKey, bytes)
}

/** The headers of a message signed with a shared key: what the local sandbox sends, and what tests forge. */
export function signStandardWebhook(
  secret: string,
  { id, sentAtSeconds, rawBody }: { id: string; sentAtSeconds: number; rawBody: Buffer },
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = kit.hmac('sha256', key, [`${id}.${sentAtSeconds}.`, rawBody], 'base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(sentAtSeconds),
    'webhook-signature': `v1,${signature}`,
  }
}

const text = z.string().max(255)
const Message = z.object({ type: z.string(), timestamp: z.string().nullish(), data: z.unknown() })
const Data = z.object({
  id: text.nullish(),
  refund_id: text.nullish(),
  dispute_id: text.nullish(),
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

const money = ({ amount, currency }: Data) => kit.moneyOf(amount, currency)

/** `status` tells a payment that was given up from one that was declined. */
const failed: Tell = ({ status, code, message }, at) => {
  if (status === 'cancelled' || status === 'expired') return { kind: status, at }
  const words = {
    code: kit.clipped(code, 'payment_failed'),
    message: kit.clipped(message, 'The payment failed.'),
  }
  return { kind: 'failed', at, final: true, ...words }
}

/** A refund without an id of its own is known by the message that told of it. */
const refunded: Tell = (data, at, eventId) =>
  kit.refundOf(at, {
    id: data.refund_id || eventId,
    money: money(data),
    state: data.status === 'pending' || data.status === 'failed' ? data.status : 'succeeded',
    reason: data.reason,
  })

const disputed: Tell = ({ dispute_id, id, reference, status }, at, eventId) => ({
  kind: 'dispute',
  at,
  disputeId: dispute_id || id || reference || eventId,
  state: status === 'won' || status === 'lost' ? status : 'opened',
})

const TELLS: Partial<Record<string, Tell>> = {
  'payment.succeeded': (data, at) => ({ kind: 'succeeded', at, money: money(data) }),
  'payment.failed': failed,
  'payment.refunded': refunded,
  'payment.disputed': disputed,
}

/** Reads the four messages of the contract, section 8; any other type concerns no payment. */
export function translateStandardWebhook({ headers, rawBody }: CallbackRequest, now: Date): ProviderEvent[] {
  const message = Message.safeParse(kit.jsonOf(rawBody))
  const eventId = kit.boundedId(headers['webhook-id'] ?? '')
  if (!message.success) return [{ ...kit.unreadable(rawBody, message.error), eventId }]
  const { type, timestamp, data } = message.data
  const tell = kit.entryOf(TELLS, type)
  if (!tell) return [kit.eventOf({ eventId, type }, kit.NOTHING)]
  const told = kit.told(Data, data, (subject) => ({
    references: [subject.reference, subject.id],
    statement: tell(subject, kit.momentOf(timestamp, now), eventId),
  }))
  return [kit.eventOf({ eventId, type }, told)]
}
