import { type JWK, SignJWT } from 'jose'
import { type Account, rolesOf } from '#lib/accounts/account'
import { type Config, dependency } from '#lib/config/config'
import { openKeys } from '#lib/config/keys'
import { type Clock, MINUTE_SECONDS, systemClock } from '#lib/kernel/clock'
import { sha256 } from '#lib/kernel/signatures'
import { issuedAt, type Session } from './session.ts'

export const ACCESS_TOKEN_SECONDS = 10 * MINUTE_SECONDS

/** The part of a session from which its access token is made. */
type TokenSession = Pick<
  Session,
  'id' | 'rotatedAt' | 'tokenHash' | 'authTimeSeconds' | 'amr' | 'steppedUpAt'
>

/**
 * Signs the access token (RFC 9068) of a session's generation, good for ten minutes from the generation's beginning or a
 * later step-up. Ed25519 is deterministic, so a token that is made again is the same.
 */
export type IssueAccessToken = (
  account: Pick<Account, 'id' | 'agent'>,
  session: TokenSession,
) => Promise<string>

const READS = ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_SIGNING_KEYS', 'AUTH_SIGNING_KEYS_PARAMETER'] as const

/** Signs with the first of the keys, which are inline or in a parameter that is read again every five minutes. */
export function openTokenIssuer(config: Config<(typeof READS)[number]>, now: Clock): IssueAccessToken {
  const signingKeys = openKeys('AUTH_SIGNING_KEYS', config, now)
  return async (account, session) => {
    const key = (await signingKeys()).keys[0] as JWK | undefined
    if (key === undefined) throw new Error('AUTH_SIGNING_KEYS holds no key')
    const issuedAtSeconds = Math.floor(Date.parse(issuedAt(session)) / 1000)
    return new SignJWT({
      sid: session.id,
      roles: rolesOf(account),
      auth_time: session.authTimeSeconds,
      amr: session.amr,
    })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid ?? '' })
      .setIssuer(config.AUTH_ISSUER)
      .setAudience(config.AUTH_AUDIENCE)
      .setSubject(account.id)
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(issuedAtSeconds + ACCESS_TOKEN_SECONDS)
      .setJti(tokenId(session))
      .sign(key)
  }
}

/** Only functions that issue tokens have the private keys. */
export const tokenIssuer = dependency(
  READS,
  (config): IssueAccessToken => openTokenIssuer(config, systemClock),
)

/** Returns the token's id: a different one for each generation of a session and each step-up, and impossible to guess. */
const tokenId = (session: TokenSession): string =>
  sha256(`access-token:${session.tokenHash}:${issuedAt(session)}`, 'base64url').slice(0, 22)
