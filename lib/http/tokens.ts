import {
  createLocalJWKSet,
  decodeJwt,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import * as z from 'zod'
import { dependency } from '#lib/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { SessionId, UserId } from '#lib/kernel/id'
import { fetchKeys } from './fetch-keys.ts'

/** Whom a token names. What that caller may do is decided elsewhere. */
export type Credential =
  | { kind: 'user'; userId: UserId; sessionId: SessionId }
  /** A console token; `administrator` tells whether the configured claim holds the configured group. */
  | { kind: 'console'; subject: string; administrator: boolean }

/**
 * Verifies an access token and says whom it names. Whose it is, is told by its issuer, compared exactly;
 * a token of an unknown issuer causes no request to anyone. Throws `unauthenticated` for every token that is
 * not good now, and `unavailable` when the console's keys cannot be had.
 */
export type VerifyToken = (token: string, now: Clock) => Promise<Credential>

export const tokenVerifier = dependency(
  [
    'AUTH_ISSUER',
    'AUTH_AUDIENCE',
    'AUTH_JWKS',
    'CONSOLE_ISSUER',
    'CONSOLE_AUDIENCE',
    'CONSOLE_JWKS',
    'CONSOLE_JWKS_URI',
    'CONSOLE_ADMIN_CLAIM',
    'CONSOLE_ADMIN_GROUP',
  ],
  (config): VerifyToken => {
    const platformKeys = createLocalJWKSet(config.AUTH_JWKS as JSONWebKeySet)
    const consoleKeys: JWTVerifyGetKey = config.CONSOLE_JWKS
      ? createLocalJWKSet(config.CONSOLE_JWKS as JSONWebKeySet)
      : fetchKeys(config.CONSOLE_JWKS_URI ?? '')

    const verifyPlatform = async (token: string, now: Clock): Promise<Credential> => {
      const { payload } = await jwtVerify(token, platformKeys, {
        issuer: config.AUTH_ISSUER,
        audience: config.AUTH_AUDIENCE,
        algorithms: ['EdDSA', 'Ed25519'],
        typ: 'at+jwt',
        requiredClaims: ['sub', 'sid', 'iat', 'exp', 'jti'],
        currentDate: now(),
      })
      return { kind: 'user', userId: UserId.parse(payload.sub), sessionId: SessionId.parse(payload['sid']) }
    }

    const verifyConsole = async (token: string, now: Clock): Promise<Credential> => {
      const { payload, protectedHeader } = await jwtVerify(token, consoleKeys, {
        issuer: config.CONSOLE_ISSUER,
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
        requiredClaims: ['sub', 'exp'],
        currentDate: now(),
      })
      if (!isAccessToken(payload, protectedHeader.typ) || !isFor(payload, config.CONSOLE_AUDIENCE)) {
        throw new DomainError('unauthenticated')
      }
      const groups = payload[config.CONSOLE_ADMIN_CLAIM]
      const administrator = [groups].flat().includes(config.CONSOLE_ADMIN_GROUP)
      return { kind: 'console', subject: Subject.parse(payload.sub), administrator }
    }

    return async (token, now) => {
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
)

/** OpenID Connect Core, section 2: up to 255 characters. Decisions are signed with it, so it must name someone. */
const Subject = z.string().min(1).max(255)

/** RFC 9068 marks access tokens in the header, Cognito in a claim. Anything else may be an ID token. */
const isAccessToken = (payload: JWTPayload, typ: string | undefined): boolean =>
  payload['token_use'] === undefined
    ? /^(application\/)?at\+jwt$/i.test(typ ?? '')
    : payload['token_use'] === 'access'

/** Cognito's access tokens carry no audience but the client they were issued to. */
const isFor = (payload: JWTPayload, audience: string): boolean =>
  payload.aud === undefined ? payload['client_id'] === audience : [payload.aud].flat().includes(audience)
