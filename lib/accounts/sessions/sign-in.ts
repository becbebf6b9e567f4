import * as z from 'zod'
import { type Account, UserView, userView } from '#lib/accounts/account'
import type { Device } from '#lib/accounts/device'
import { type Clock, timestamp, unixSeconds } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { type HmacKeys, newestKey } from '#lib/kernel/signed-token'
import { makeDeviceToken } from './device-token.ts'
import { refreshToken } from './refresh-token.ts'
import { issuedAt, type Session, sessionEndSeconds, tokenHash } from './session.ts'
import { ACCESS_TOKEN_SECONDS, type IssueAccessToken } from './token-issuer.ts'

/** A session's tokens as its device is given them. */
export const TokenPair = z
  .object({
    accessToken: z.string().meta({ example: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…' }),
    refreshToken: z.string().meta({ example: 'ses_01KAH3M6XQ8ZJ4T2V7W9C5RBND.9xQ2…' }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().meta({ description: 'Seconds until the access token expires', example: 600 }),
  })
  .meta({ id: 'TokenPair' })
export type TokenPair = z.infer<typeof TokenPair>

/** The answer to a sign-in. */
export const SignedIn = z
  .object({
    user: UserView,
    ...TokenPair.shape,
    deviceToken: z.string().meta({
      example: 'dV7r4w…',
      description:
        'To be shown at the next sign-in on this device; good for a year, void after a new password',
    }),
  })
  .meta({ id: 'SignedIn' })

export type SessionDeps = { issueAccessToken: IssueAccessToken; hmacKeys: HmacKeys; now: Clock; newId: NewId }

/** The `amr` (RFC 8176) of a sign-in by password alone. */
export const PASSWORD_ALONE = ['pwd'] as const

/** Makes a session and its first refresh token, without storing them. */
export async function openSession(
  { hmacKeys, now, newId }: SessionDeps,
  account: Account,
  device: Device,
  amr: readonly string[] = PASSWORD_ALONE,
) {
  const id = newId('session')
  const generation = 1
  const token = refreshToken(await newestKey(hmacKeys), id, generation)
  const session: Session = {
    id,
    userId: account.id,
    generation,
    tokenHash: tokenHash(token),
    authTimeSeconds: unixSeconds(now()),
    amr: [...amr],
    factorsRevision: account.factors.revision,
    steppedUpAt: null,
    rotatedAt: timestamp(now()),
    spentAtMilliseconds: [],
    createdAt: timestamp(now()),
    lastUsedAt: timestamp(now()),
    ipAddress: device.ipAddress,
    userAgent: device.userAgent,
    expiresAtSeconds: sessionEndSeconds(timestamp(now()), now()),
  }
  return { session, refreshToken: token }
}

/** Makes the answer to a sign-in. */
export async function answerSignIn(
  deps: SessionDeps,
  account: Account,
  session: Session,
  token: string,
): Promise<z.infer<typeof SignedIn>> {
  return {
    user: userView(account, deps.now()),
    ...(await tokenPair(deps, account, session, token)),
    deviceToken: await makeDeviceToken(deps.hmacKeys, account, deps.now()),
  }
}

/**
 * Returns the token pair of a session's newest generation. A repeated call returns the same tokens while the account's
 * roles and the signing key stay; only `expiresIn` differs.
 */
export async function tokenPair(
  { issueAccessToken, now }: Pick<SessionDeps, 'issueAccessToken' | 'now'>,
  account: Account,
  session: Session,
  token: string,
): Promise<TokenPair> {
  const ageSeconds = unixSeconds(now()) - Math.floor(Date.parse(issuedAt(session)) / 1000)
  return {
    accessToken: await issueAccessToken(account, session),
    refreshToken: token,
    tokenType: 'Bearer',
    expiresIn: ACCESS_TOKEN_SECONDS - ageSeconds,
  }
}
