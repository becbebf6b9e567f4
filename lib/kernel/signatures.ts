import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { unixSeconds } from './clock.ts'

/** Whether two texts are the same. Compares in constant time. */
export const sameText = (one: string, other: string): boolean =>
  sameBytes(Buffer.from(one), Buffer.from(other))

const sameBytes = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

/** Whether a signature was made with one of the secrets. A missing signature is wrong. */
export const isMadeByAny = <Secret>(
  signature: string | undefined,
  secrets: readonly Secret[],
  sign: (secret: Secret) => string,
): boolean => secrets.some((secret) => sameText(signature ?? '', sign(secret)))

/** Returns the HMAC of the parts put together, as text. The key is used as given: decode it first where a scheme says so. */
export function hmac(
  algorithm: 'sha256' | 'sha512',
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
  encoding: 'hex' | 'base64' | 'base64url',
): string {
  const digest = createHmac(algorithm, key)
  for (const part of parts) digest.update(part)
  return digest.digest(encoding)
}

/** Returns the SHA-256 of a text or a body. */
export const sha256 = (value: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string =>
  hash('sha256', value, encoding)

/** Returns the SHA-256 of a text, as bytes. */
export const sha256Bytes = (text: string): Buffer => hash('sha256', text, 'buffer')

/**
 * Returns the bytes of a signature; undefined for a text that is not how they are spelled. The last character of base64
 * has unused bits, and decoding skips other characters: many texts decode alike.
 */
export function signatureBytes(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : undefined
}

/** Returns the values of a name in a header such as `t=1,v1=a,v1=b`; other names are passed over. */
export const valuesOf = (header: string | undefined, name: string): string[] =>
  (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : []))

/**
 * Whether a header `t=<Unix seconds>,v1=<hex>` is signed with HMAC-SHA256, by any of the secrets and no longer ago than
 * the tolerance; a time in the future is accepted. `signed` returns the bytes that the signature covers. While secrets
 * rotate, the header has several signatures.
 */
export function isSignedInTime(
  header: string | undefined,
  signed: (sentAt: string) => readonly (string | Buffer)[],
  { secrets, now, toleranceSeconds }: { secrets: readonly string[]; now: Date; toleranceSeconds: number },
): boolean {
  const sentAt = valuesOf(header, 't').find((time) => /^\d{1,15}$/.test(time))
  if (sentAt === undefined || unixSeconds(now) - Number(sentAt) > toleranceSeconds) return false
  return secrets.some((secret) => {
    const expected = hmac('sha256', secret, signed(sentAt), 'hex')
    return valuesOf(header, 'v1').some((signature) => sameText(signature, expected))
  })
}

/** Returns the HMAC-SHA256 of a text, as bytes. */
export const hmacOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/**
 * Whether one of the keys made this HMAC of the text. Compares in constant time. The HMAC may be cut short: its length is
 * for the caller to check.
 */
export const isHmacOf = (keys: readonly Buffer[], text: string, given: Buffer): boolean =>
  given.length > 0 && keys.some((key) => sameBytes(hmacOf(key, text).subarray(0, given.length), given))

/** A message to sign: its id, when it is sent in Unix seconds, and its body as it is sent. */
export type SignedMessage = { id: string; sentAtSeconds: number; rawBody: string | Buffer }

/** Returns the text that a signature of Standard Webhooks covers: id, time and body, joined by dots. */
export const standardWebhookContent = (id: string, sentAt: string, rawBody: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${id}.${sentAt}.`), Buffer.from(rawBody)])

/** Returns the symmetric signature of Standard Webhooks, `v1`: HMAC-SHA256 in base64. */
export const standardWebhookSignature = (key: Buffer, content: Buffer): string =>
  hmac('sha256', key, [content], 'base64')

/**
 * Returns the headers of a message, signed with every secret (Standard Webhooks 1.0.0, "Signature scheme"): a receiver
 * that knows one of the secrets can verify it. A secret is base64, after `whsec_` where it has that prefix.
 */
export function signStandardWebhook(
  secrets: readonly string[],
  { id, sentAtSeconds, rawBody }: SignedMessage,
): Record<string, string> {
  const content = standardWebhookContent(id, `${sentAtSeconds}`, rawBody)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${standardWebhookSignature(key, content)}`
  })
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${sentAtSeconds}`,
    'webhook-signature': signatures.join(' '),
  }
}
