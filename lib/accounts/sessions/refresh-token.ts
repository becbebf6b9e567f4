import { SessionId } from '#lib/kernel/id'
import { readToken, signToken } from '#lib/kernel/signed-token'
import { type Session, tokenHash } from './session.ts'

/**
 * Derives the refresh token of one generation of a session. The token is opaque to the client and always the same, so
 * that a retry can be answered from the session alone.
 */
export const refreshToken = (key: Buffer, id: SessionId, generation: number): string =>
  signToken(key, 'refresh-token', `${id.replace('ses_', 'rft_')}.${generation.toString(36)}`)

/** Returns the session and generation of a token; undefined for a token that this service did not make. */
export function readRefreshToken(
  keys: readonly Buffer[],
  token: string,
): { sessionId: SessionId; generation: number } | undefined {
  const [id = '', generation = ''] = readToken(keys, 'refresh-token', token)?.split('.') ?? []
  const sessionId = SessionId.safeParse(id.replace('rft_', 'ses_'))
  return sessionId.success ? { sessionId: sessionId.data, generation: parseInt(generation, 36) } : undefined
}

/** Returns the unspent token of a session, whichever key signed it; undefined if that key is no longer configured. */
export const currentRefreshToken = (keys: readonly Buffer[], session: Session): string | undefined =>
  keys
    .map((key) => refreshToken(key, session.id, session.generation))
    .find((token) => tokenHash(token) === session.tokenHash)
