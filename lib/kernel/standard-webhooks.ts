import { createHmac } from 'node:crypto'

/** A message to sign: its id, when it is sent in Unix seconds, and its body as it is sent. */
export type SignedMessage = { id: string; sentAtSeconds: number; rawBody: string | Buffer }

/** Returns the text that a signature of Standard Webhooks covers: id, time and body, joined by dots. */
export const signedContent = (id: string, sentAt: string, rawBody: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${id}.${sentAt}.`), Buffer.from(rawBody)])

/** The symmetric signature of Standard Webhooks, `v1`: HMAC-SHA256 in base64. */
export const signatureOf = (key: Buffer, content: Buffer): string =>
  createHmac('sha256', key).update(content).digest('base64')

/**
 * The headers of a message, signed with every secret (Standard Webhooks 1.0.0, "Signature scheme"): a receiver that
 * knows one of them can verify it. A secret is base64, after `whsec_` where it has that prefix.
 */
export function signStandardWebhook(
  secrets: readonly string[],
  { id, sentAtSeconds, rawBody }: SignedMessage,
): Record<string, string> {
  const content = signedContent(id, `${sentAtSeconds}`, rawBody)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${signatureOf(key, content)}`
  })
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${sentAtSeconds}`,
    'webhook-signature': signatures.join(' '),
  }
}
