import { createHmac, randomBytes } from 'node:crypto'
import type { Message } from './delivery.ts'

const SECRET_BYTES = 32

/** Makes a secret of 256 random bits, as the Standard Webhooks specification writes them. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** The body of a message: `{type, timestamp, subject, data}`. */
export const bodyOf = ({ type, at, subject, data }: Message): string =>
  JSON.stringify({ type, timestamp: at, subject, data })

/**
 * The headers of a message, signed with every secret (Standard Webhooks 1.0.0, "Signature scheme"): a receiver that
 * knows one of them can verify it.
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const sentAtSeconds = Math.floor(now.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${sentAtSeconds}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'platform-api-webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(sentAtSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
