import { randomBytes } from 'node:crypto'
import { signStandardWebhook } from '#lib/kernel/signatures'
import type { WebhookMessage } from './delivery.ts'

const SECRET_BYTES = 32

/** Makes a secret of 256 random bits, as the Standard Webhooks specification writes them. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Returns the body of a message: the event as `GET /admin/events` shows it, with `timestamp` for `at`. */
export const bodyOf = ({ id, type, at, subject, data }: WebhookMessage): string =>
  JSON.stringify({ id, type, timestamp: at, subject, data })

/** Returns the headers of a message, with a signature by every secret. */
export const signedHeaders = (
  id: string,
  rawBody: string,
  secrets: readonly string[],
  now: Date,
): Record<string, string> => ({
  ...signStandardWebhook(secrets, { id, sentAtSeconds: Math.floor(now.getTime() / 1000), rawBody }),
  'user-agent': 'platform-api-webhooks',
})
