import { createHash, createHmac } from 'node:crypto'
import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { SessionId, UserId } from '#lib/kernel/id'

export const SESSION_SECONDS = 30 * 24 * 60 * 60
export const SESSIONS_MAX = 50

/** A signed-in device. Its refresh tokens are derived from its id and generation; only a hash is kept. */
export const Session = z.object({
  id: SessionId,
  userId: UserId,
  generation: z.int(),
  tokenHash: z.string(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  ipAddress: z.string(),
  userAgent: z.string().nullable(),
  expiresAtSeconds: z.int(),
})
export type Session = z.infer<typeof Session>

/** Keys of the platform's own MACs; the first makes new ones. */
export type HmacKeys = () => Promise<readonly Buffer[]>

/**
 * The refresh token of one generation of a session: opaque to the client, unguessable without the key, and the
 * same whenever it is derived again, so that a retry can be answered without keeping the token itself.
 */
export function refreshToken(key: Buffer, id: SessionId, generation: number): string {
  const mac = createHmac('sha256', key).update(`refresh-token:${id}:${generation}`).digest()
  return `${id.replace('ses_', 'rft_')}.${generation.toString(36)}.${mac.toString('base64url')}`
}

/** What is kept of a token. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url')
