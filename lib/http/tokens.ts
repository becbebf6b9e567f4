import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import * as z from 'zod'
import { type Config, dependency } from '#lib/config/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { SessionId, UserId } from '#lib/kernel/id'
import { signatureBytes } from '#lib/kernel/signatures'
import { CONSOLE_VARIABLES, type ConsoleCredential, consoleVerifier } from './console-token.ts'
import { bearerOf, type HttpEvent, hasApiKey } from './request.ts'

/** When a person proved who they are, and how (RFC 8176). */
export type Authentication = { authTimeSeconds: number; amr: readonly string[] }

type UserCredential = { kind: 'user'; userId: UserId; sessionId: SessionId } & Authentication

/** The caller that a token names. The rights of that caller are decided elsewhere. */
export type Credential = UserCredential | ConsoleCredential

/**
 * Verifies an access token and returns whom it names. Its issuer, compared exactly, decides how it is verified; a token
 * of an unknown issuer causes no request to anyone. Throws `unauthenticated` for an invalid or expired token, and
 * `unavailable` when the console's keys cannot be fetched.
 */
export type VerifyToken = (token: string, now: Clock) => Promise<Credential>

/** Cognito's longest access tokens stay well under this; verifying a longer one would only cost us. */
const MAX_TOKEN_LENGTH = 8_192

/**
 * Verifies the bearer token of a request. Throws `unauthenticated` for a missing, invalid or expired token, and
 * `forbidden` for an API key: it acts only on routes that name a scope.
 */
export async function credentialOf(
  event: HttpEvent,
  { tokens, now }: { tokens: VerifyToken; now: Clock },
): Promise<Credential> {
  // No scope would help: `needs` is empty.
  if (hasApiKey(event)) throw new DomainError('forbidden', { extensions: { needs: [] } })
  const token = bearerOf(event)
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw new DomainError('unauthenticated')
  return tokens(token, now)
}

const PLATFORM_VARIABLES = ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS'] as const

export const tokenVerifier = dependency(
  [...PLATFORM_VARIABLES, ...CONSOLE_VARIABLES],
  (config): VerifyToken => {
    const verifyPlatform = platformVerifier(config)
    const verifyConsole = consoleVerifier(config)
    return async (token, now) => {
      // jose takes every spelling of a signature.
      const signature = token.slice(token.lastIndexOf('.') + 1)
      if (!signatureBytes(signature, 'base64url')) throw new DomainError('unauthenticated')
      try {
        const { iss } = decodeJwt(token)
        if (iss === config.AUTH_ISSUER) return await verifyPlatform(token, now)
        if (iss === config.CONSOLE_ISSUER) return await verifyConsole(token, now)
      } catch (error) {
        if (error instanceof DomainError) throw error
        throw new DomainError('unauthenticated', { cause: error })
      }
      throw new DomainError('unauthenticated')
    }
  },
  ({ CONSOLE_MACHINES, CONSOLE_AUDIENCE }) => {
    // A person's token is of the console's own client: it would be refused as a token of a machine.
    if (Object.hasOwn(CONSOLE_MACHINES, CONSOLE_AUDIENCE)) {
      throw new Error("Configuration: CONSOLE_MACHINES names the console's own client")
    }
  },
)

/** Verifies our own tokens. Throws an error of jose or of zod for an invalid token. */
function platformVerifier(
  config: Config<(typeof PLATFORM_VARIABLES)[number]>,
): (token: string, now: Clock) => Promise<UserCredential> {
  const keys = createLocalJWKSet(config.AUTH_JWKS as JSONWebKeySet)
  return async (token, now) => {
    const { payload } = await jwtVerify(token, keys, {
      issuer: config.AUTH_ISSUER,
      audience: config.AUTH_AUDIENCE,
      algorithms: ['EdDSA', 'Ed25519'],
      typ: 'at+jwt',
      requiredClaims: ['sub', 'sid', 'iat', 'exp', 'jti'],
      currentDate: now(),
    })
    const { sub, sid, auth_time: authTimeSeconds, amr } = UserClaims.parse(payload)
    return { kind: 'user', userId: sub, sessionId: sid, authTimeSeconds, amr }
  }
}

const UserClaims = z.object({ sub: UserId, sid: SessionId, auth_time: z.int(), amr: z.array(z.string()) })
