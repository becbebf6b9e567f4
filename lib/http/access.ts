import type { ConsoleRole, Dependencies } from '#lib/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError, type ProblemCode } from '#lib/kernel/domain-error'
import { type HttpEvent, header } from './request.ts'
import type { Credential, VerifyToken } from './tokens.ts'

/** A credential of the OpenAPI document's `securitySchemes`, or none. */
export type SecurityScheme = 'platform' | 'console' | 'none'

/**
 * The actor that `run` receives. `id` names the caller in log lines and idempotency keys; null without a credential.
 */
export type Caller<Actor> = { actor: Actor; id: string | null }

/**
 * Who may call an endpoint, as one object: `Actor` is what `run` is given. A new kind of caller is one more of these.
 */
export type Access<Actor = unknown> = {
  /** In words, for documents and tests. */
  readonly name: string
  /** The roles of which an administrator needs one. */
  readonly roles?: readonly ConsoleRole[]
  /** The credentials that it takes; any one of them is enough. */
  readonly security: readonly SecurityScheme[]
  /** Every refusal that `check` may throw. */
  readonly problems: readonly ProblemCode[]
  /** The check of an actor's account, for every credential; throws for an account that does not qualify. */
  readonly admit?: (actor: never) => void
  /** The dependencies of `check`; an endpoint does not name them again. */
  readonly deps: Dependencies
  readonly check: (event: HttpEvent, deps: never) => Promise<Caller<Actor>>
}

/** Who may call an endpoint by an API key instead, and with which scope. */
export type ApiKeyAccess<Actor = unknown> = {
  /** The scopes of which a key needs one. */
  readonly scopes: readonly string[]
  readonly deps: Dependencies
  readonly check: (event: HttpEvent, deps: never) => Promise<Caller<Actor>>
}

/** Whether a request carries an API key, valid or not. */
export const hasApiKey = (event: HttpEvent): boolean => isApiKey(bearerOf(event) ?? '')

/** Lets everyone in; an `Authorization` header is not read. */
export const publicAccess: Access<undefined> = {
  name: 'public',
  security: ['none'],
  problems: [],
  deps: {},
  check: async () => ({ actor: undefined, id: null }),
}

/** Whether a request carries a credential, valid or not. */
export const hasCredential = (event: HttpEvent): boolean => header(event, 'authorization') !== undefined

/** Returns the `Bearer` token of a request; undefined for another scheme and for characters that no token contains. */
export const bearerOf = (event: HttpEvent): string | undefined =>
  /^Bearer +([\w.-]+)$/i.exec(header(event, 'authorization') ?? '')?.[1]

/** Cognito's longest access tokens stay well under this; verifying a longer one would only cost us. */
const MAX_TOKEN_LENGTH = 8_192

/** An agent's API key. It acts only on routes that name a scope; everywhere else it is refused without being read. */
const isApiKey = (token: string): boolean => token.startsWith('pak_')

/**
 * Verifies the bearer token of a request. Throws `unauthenticated` for a missing, invalid or expired token, and
 * `forbidden` for an API key.
 */
export async function credentialOf(
  event: HttpEvent,
  { tokens, now }: { tokens: VerifyToken; now: Clock },
): Promise<Credential> {
  const token = bearerOf(event)
  if (token !== undefined && isApiKey(token))
    throw new DomainError('forbidden', { extensions: { needs: [] } })
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw new DomainError('unauthenticated')
  return tokens(token, now)
}
