import {
  createLocalJWKSet,
  decodeJwt,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import * as z from 'zod'
import { CONSOLE_ROLES, type Config, type ConsoleRole, dependency } from '#lib/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { SessionId, UserId } from '#lib/kernel/id'
import { fetchKeys } from './fetch-keys.ts'

/** When a person proved who they are, and how (RFC 8176). */
export type Authentication = { authTimeSeconds: number; amr: readonly string[] }

/** The age of an administrator's sign-in. A token without `auth_time` leaves it unknown. */
export type SignInAge = 'fresh' | 'old' | 'unknown'

/** Whom a token names. The rights of that caller are decided elsewhere. */
export type Credential =
  | ({ kind: 'user'; userId: UserId; sessionId: SessionId } & Authentication)
  /** A console token, of a person or a machine, and the roles that it gives. */
  | { kind: 'console'; subject: string; roles: readonly ConsoleRole[]; signIn: SignInAge }

/**
 * Verifies an access token and returns whom it names. Its issuer, compared exactly, decides how it is verified; a token
 * of an unknown issuer causes no request to anyone. Throws `unauthenticated` for an invalid or expired token, and
 * `unavailable` when the console's keys cannot be fetched.
 */
export type VerifyToken = (token: string, now: Clock) => Promise<Credential>

const READS = [
  'AUTH_ISSUER',
  'AUTH_AUDIENCE',
  'AUTH_JWKS',
  'CONSOLE_ISSUER',
  'CONSOLE_AUDIENCE',
  'CONSOLE_JWKS',
  'CONSOLE_JWKS_URI',
  'CONSOLE_ADMIN_CLAIM',
  'CONSOLE_ADMIN_GROUP',
  'CONSOLE_ROLES',
  'CONSOLE_MACHINES',
  'CONSOLE_STEP_UP_SECONDS',
] as const
type Settings = Config<(typeof READS)[number]>

export const tokenVerifier = dependency(
  READS,
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
      const { sub, sid, auth_time: authTimeSeconds, amr } = UserClaims.parse(payload)
      return { kind: 'user', userId: sub, sessionId: sid, authTimeSeconds, amr }
    }

    const verifyConsole = async (token: string, now: Clock): Promise<Credential> => {
      const { payload, protectedHeader } = await jwtVerify(token, consoleKeys, {
        issuer: config.CONSOLE_ISSUER,
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
        requiredClaims: ['sub', 'exp'],
        currentDate: now(),
      })
      if (!isAccessToken(payload, protectedHeader.typ)) throw new DomainError('unauthenticated')
      return machineOf(payload, config) ?? personOf(payload, config, now())
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
  ({ CONSOLE_MACHINES, CONSOLE_AUDIENCE }) => {
    if (Object.hasOwn(CONSOLE_MACHINES, CONSOLE_AUDIENCE)) {
      throw new Error("Configuration: CONSOLE_MACHINES names the console's own client")
    }
  },
)

const UserClaims = z.object({ sub: UserId, sid: SessionId, auth_time: z.int(), amr: z.array(z.string()) })

/** OpenID Connect Core, section 2: up to 255 characters. Decisions are signed with it, so it must name someone. */
const Subject = z.string().min(1).max(255)

/** RFC 9068 marks access tokens in the header, Cognito in a claim. Anything else may be an ID token. */
const isAccessToken = (payload: JWTPayload, typ: string | undefined): boolean =>
  payload['token_use'] === undefined
    ? /^(application\/)?at\+jwt$/i.test(typ ?? '')
    : payload['token_use'] === 'access'

/** Cognito's access tokens carry no audience but the client they were issued to. */
const isFor = (payload: JWTPayload, audience: string): boolean =>
  payload.aud === undefined ? payload['client_id'] === audience : hasAudience(payload, audience)

const hasAudience = ({ aud }: JWTPayload, audience: string): boolean => [aud].flat().includes(audience)

/** The beginning of a machine's name, which stands in the place of an administrator's subject. */
const MACHINE = 'client:'

/**
 * The machine that a token by client credentials names: its subject is its client. Undefined for a person's token.
 * Throws `unauthenticated` for a machine that is not configured, and for a person's token from a machine's client.
 */
function machineOf(payload: JWTPayload, config: Settings): Credential | undefined {
  const { sub, aud, client_id: clientId = payload['azp'] } = payload
  if (typeof clientId !== 'string') return undefined
  const roles = Object.hasOwn(config.CONSOLE_MACHINES, clientId)
    ? config.CONSOLE_MACHINES[clientId]
    : undefined
  if (sub !== clientId) {
    if (roles !== undefined) throw new DomainError('unauthenticated')
    return undefined
  }
  const isForUs = aud === undefined || hasAudience(payload, config.CONSOLE_AUDIENCE)
  if (roles === undefined || !isForUs) throw new DomainError('unauthenticated')
  // A machine has no sign-in that could be recent.
  return { kind: 'console', subject: `${MACHINE}${clientId}`, roles, signIn: 'old' }
}

function personOf(payload: JWTPayload, config: Settings, now: Date): Credential {
  const subject = Subject.parse(payload.sub)
  if (!isFor(payload, config.CONSOLE_AUDIENCE) || subject.startsWith(MACHINE)) {
    throw new DomainError('unauthenticated')
  }
  const groups = [payload[config.CONSOLE_ADMIN_CLAIM]].flat()
  const roles = groups.includes(config.CONSOLE_ADMIN_GROUP)
    ? CONSOLE_ROLES
    : CONSOLE_ROLES.filter((role) => groups.includes(config.CONSOLE_ROLES[role] ?? NO_GROUP))
  return { kind: 'console', subject, roles, signIn: ageOf(payload, config, now) }
}

/** Is in no list of groups. */
const NO_GROUP = Symbol('no group')

function ageOf(payload: JWTPayload, { CONSOLE_STEP_UP_SECONDS: bound }: Settings, now: Date): SignInAge {
  if (bound === 0) return 'fresh'
  const authTime = payload['auth_time']
  if (typeof authTime !== 'number') return 'unknown'
  return now.getTime() / 1000 - authTime <= bound ? 'fresh' : 'old'
}
