import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod'
import type { Config } from '#lib/config/config'
import type { Clock } from '#lib/kernel/clock'
import { CONSOLE_ROLES, type ConsoleRole } from '#lib/kernel/console-role'
import { DomainError } from '#lib/kernel/domain-error'
import { fetchKeys } from './fetch-keys.ts'

/** The age of an administrator's sign-in. A token without `auth_time` leaves it unknown. */
export type SignInAge = 'fresh' | 'old' | 'unknown'

/** The person or machine that a console token names, with the roles that the token gives. */
export type ConsoleCredential = {
  kind: 'console'
  subject: string
  roles: readonly ConsoleRole[]
  signIn: SignInAge
}

/** The variables for verifying console tokens. */
export const CONSOLE_VARIABLES = [
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
type Settings = Config<(typeof CONSOLE_VARIABLES)[number]>

/** The difference between the issuer's clock and ours that `exp` and `nbf` are forgiven. */
const CLOCK_TOLERANCE_SECONDS = 5

/** Verifies tokens of the console's issuer. Throws an error of jose, of zod, or `unauthenticated` for an invalid token. */
export function consoleVerifier(config: Settings): (token: string, now: Clock) => Promise<ConsoleCredential> {
  const keys: JWTVerifyGetKey = config.CONSOLE_JWKS
    ? createLocalJWKSet(config.CONSOLE_JWKS as JSONWebKeySet)
    : fetchKeys(config.CONSOLE_JWKS_URI ?? '')
  return async (token, now) => {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: config.CONSOLE_ISSUER,
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
      requiredClaims: ['sub', 'exp'],
      currentDate: now(),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    })
    if (!isAccessToken(payload, protectedHeader.typ)) throw new DomainError('unauthenticated')
    return machineOf(payload, config) ?? personOf(payload, config, now())
  }
}

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

/** The beginning of a machine's subject. No person's subject may begin so. */
const MACHINE = 'client:'

/**
 * Returns the machine that a token by client credentials names: its subject is its client. Undefined for a person's token.
 * Throws `unauthenticated` for a machine that is not configured, and for a person's token from a machine's client.
 */
function machineOf(payload: JWTPayload, config: Settings): ConsoleCredential | undefined {
  // Issuers name the client in `client_id` or in `azp`.
  const { sub, aud, client_id: clientId = payload['azp'] } = payload
  if (typeof clientId !== 'string') return undefined
  const roles = Object.hasOwn(config.CONSOLE_MACHINES, clientId)
    ? config.CONSOLE_MACHINES[clientId]
    : undefined
  if (sub !== clientId) {
    if (roles !== undefined) throw new DomainError('unauthenticated')
    return undefined
  }
  // A token without an audience is Cognito's: it suffices that its client is configured.
  const isForUs = aud === undefined || hasAudience(payload, config.CONSOLE_AUDIENCE)
  if (roles === undefined || !isForUs) throw new DomainError('unauthenticated')
  // A machine has no sign-in that could be recent.
  return { kind: 'console', subject: `${MACHINE}${clientId}`, roles, signIn: 'old' }
}

function personOf(payload: JWTPayload, config: Settings, now: Date): ConsoleCredential {
  const subject = Subject.parse(payload.sub)
  if (!isFor(payload, config.CONSOLE_AUDIENCE) || subject.startsWith(MACHINE)) {
    throw new DomainError('unauthenticated')
  }
  const groups = [payload[config.CONSOLE_ADMIN_CLAIM]].flat()
  const roles = groups.includes(config.CONSOLE_ADMIN_GROUP)
    ? CONSOLE_ROLES
    : CONSOLE_ROLES.filter((role) => {
        const group = config.CONSOLE_ROLES[role]
        return group !== undefined && groups.includes(group)
      })
  return { kind: 'console', subject, roles, signIn: ageOf(payload, config, now) }
}

function ageOf(payload: JWTPayload, { CONSOLE_STEP_UP_SECONDS: bound }: Settings, now: Date): SignInAge {
  // 0 demands no recent sign-in.
  if (bound === 0) return 'fresh'
  const authTime = payload['auth_time']
  if (typeof authTime !== 'number') return 'unknown'
  return now.getTime() / 1000 - authTime <= bound ? 'fresh' : 'old'
}
