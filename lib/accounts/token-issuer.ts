import { importJWK, type JWK, SignJWT } from 'jose'
import { dependency } from '#lib/config'
import type { NewId, SessionId } from '#lib/kernel/id'
import { once, parseAs, readParameter } from '#lib/secrets'
import { type Account, rolesOf } from './account.ts'
import type { HmacKeys } from './session.ts'

export const ACCESS_TOKEN_SECONDS = 10 * 60

/** Signs access tokens (RFC 9068), good for ten minutes, with the first of the live keys. */
export type IssueAccessToken = (
  account: Account,
  sessionId: SessionId,
  now: Date,
  newId: NewId,
) => Promise<string>

/** Only functions that issue tokens have the private keys. */
export const tokenIssuer = dependency(
  ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_SIGNING_KEYS', 'AUTH_SIGNING_KEYS_PARAMETER'],
  (config): IssueAccessToken => {
    const signingKey = once(async () => {
      const keys =
        config.AUTH_SIGNING_KEYS ??
        parseAs('AUTH_SIGNING_KEYS', await readParameter(config.AUTH_SIGNING_KEYS_PARAMETER ?? ''))
      const jwk = keys?.keys[0] as JWK | undefined
      if (jwk === undefined) throw new Error('AUTH_SIGNING_KEYS holds no key')
      return { kid: jwk.kid ?? '', key: await importJWK(jwk, 'EdDSA') }
    })
    return async (account, sessionId, now, newId) => {
      const { kid, key } = await signingKey()
      const issuedAtSeconds = Math.floor(now.getTime() / 1000)
      return new SignJWT({ sid: sessionId, roles: rolesOf(account) })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .setIssuer(config.AUTH_ISSUER)
        .setAudience(config.AUTH_AUDIENCE)
        .setSubject(account.id)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(issuedAtSeconds + ACCESS_TOKEN_SECONDS)
        .setJti(newId('event').replace('evt_', ''))
        .sign(key)
    }
  },
)

/** The keys that refresh tokens and mailed links are derived from; the first makes new ones. */
export const hmacKeys = dependency(
  ['HMAC_KEYS', 'HMAC_KEYS_PARAMETER'],
  (config): HmacKeys =>
    once(
      async () =>
        config.HMAC_KEYS ?? parseAs('HMAC_KEYS', await readParameter(config.HMAC_KEYS_PARAMETER ?? '')) ?? [],
    ),
)
