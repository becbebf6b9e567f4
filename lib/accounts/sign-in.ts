import * as z from 'zod'
import { type Clock, secondsAfter, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { type Account, UserView, userView } from './account.ts'
import {
  type HmacKeys,
  refreshToken,
  SESSION_SECONDS,
  SESSIONS_MAX,
  type Session,
  tokenHash,
} from './session.ts'
import { ACCESS_TOKEN_SECONDS, type IssueAccessToken } from './token-issuer.ts'

/** What signing in answers with. */
export const SignedIn = z
  .object({
    user: UserView,
    accessToken: z.string(),
    refreshToken: z.string(),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().meta({ description: 'Seconds until the access token expires' }),
  })
  .meta({ id: 'SignedIn' })

/** Where a request came from, as a session remembers it. */
export type Device = { ipAddress: string; userAgent: string | null }

export type SessionDeps = { issueAccessToken: IssueAccessToken; hmacKeys: HmacKeys; now: Clock; newId: NewId }

/** A fresh session and its first refresh token; nothing is stored yet. */
export async function openSession({ hmacKeys, now, newId }: SessionDeps, account: Account, device: Device) {
  const [key] = await hmacKeys()
  if (key === undefined) throw new Error('HMAC_KEYS holds no key')
  const id = newId('session')
  const token = refreshToken(key, id, 1)
  const session: Session = {
    id,
    userId: account.id,
    generation: 1,
    tokenHash: tokenHash(token),
    createdAt: timestamp(now()),
    lastUsedAt: timestamp(now()),
    ipAddress: device.ipAddress,
    userAgent: device.userAgent,
    expiresAtSeconds: Math.floor(secondsAfter(now(), SESSION_SECONDS).getTime() / 1000),
  }
  return { session, refreshToken: token }
}

/** The sessions that have ended by themselves, or that end to keep an account within its fifty: the oldest. */
export function sessionsToEnd({ sessions }: Account, now: Date): string[] {
  // Identifiers sort by age.
  const byAge = Object.entries(sessions).sort(([a], [b]) => (a < b ? -1 : 1))
  const surplus = byAge.length - (SESSIONS_MAX - 1)
  return byAge.filter(([, end], index) => index < surplus || end * 1000 <= now.getTime()).map(([id]) => id)
}

/** The answer to a sign-in. */
export async function signedIn(
  { issueAccessToken, now, newId }: SessionDeps,
  account: Account,
  session: Session,
  token: string,
): Promise<z.infer<typeof SignedIn>> {
  return {
    user: userView(account, now()),
    accessToken: await issueAccessToken(account, session.id, now(), newId),
    refreshToken: token,
    tokenType: 'Bearer',
    expiresIn: ACCESS_TOKEN_SECONDS,
  }
}
