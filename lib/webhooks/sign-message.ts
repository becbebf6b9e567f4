import { randomBytes } from 'node:crypto'
import { unixSeconds } from '#lib/kernel/clock'
import { signStandardWebhook } from '#lib/kernel/signatures'
import type { WebhookMessage } from './delivery.ts'

const SECRET_BYTES = 32

/** Makes a secret of 256 random bits, as the Standard Webhooks specification writes them. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/**
 * Returns the body of a message: the event as `GET /admin/events` shows it, with `timestamp` for `at`. It is the same text
 * at each attempt: the store gives the members of `data` in any order.
 */
export const bodyOf = ({ id, type, at, subject, data }: WebhookMessage): string =>
  JSON.stringify({ id, type, timestamp: at, subject, data: inOrder(data) })

/** Returns a value of JSON with the members of its objects in the order of their names. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]))
}

/** Returns the headers of a message, with a signature by every secret. */
export const signedHeaders = (
  id: string,
  rawBody: string,
  secrets: readonly string[],
  now: Date,
): Record<string, string> => ({
  ...signStandardWebhook(secrets, { id, sentAtSeconds: unixSeconds(now), rawBody }),
  'user-agent': 'platform-api-webhooks',
})
