import type { Dependencies } from '#lib/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError, type ProblemCode } from '#lib/kernel/domain-error'
import { type HttpEvent, header } from './request.ts'
import type { Credential, VerifyToken } from './tokens.ts'

/** A credential of the OpenAPI document's `securitySchemes`, or none. */
export type SecurityScheme = 'platform' | 'console' | 'none'

/** The actor that `run` is given. `id` is opaque: log lines and idempotency keys go by it; null is nobody. */
export type Caller<Actor> = { actor: Actor; id: string | null }

/**
 * Who may call an endpoint, as one object: `Actor` is what `run` is given. A new kind of caller is one more of these.
 */
export type Access<Actor = unknown> = {
  /** In words, for documents and tests. */
  readonly name: string
  /** The credentials that it takes; any one of them is enough. */
  readonly security: readonly SecurityScheme[]
  /** Every refusal that `check` may throw. */
  readonly problems: readonly ProblemCode[]
  /** What `check` needs; an endpoint does not name it again. */
  readonly deps: Dependencies
  readonly check: (event: HttpEvent, deps: never) => Promise<Caller<Actor>>
}

/** Nobody is asked who they are; an `Authorization` header is not looked at. */
export const everyone: Access<undefined> = {
  name: 'public',
  security: ['none'],
  problems: [],
  deps: {},
  check: async () => ({ actor: undefined, id: null }),
}

/** Whether a request carries a credential, good or not. */
export const hasCredential = (event: HttpEvent): boolean => header(event, 'authorization') !== undefined

/** Cognito's longest access tokens stay well under this; verifying a longer one would only cost us. */
const MAX_TOKEN_LENGTH = 8_192

/** Verifies the bearer token of a request. Throws `unauthenticated` where there is none, or none that is good now. */
export async function credentialOf(
  event: HttpEvent,
  { tokens, now }: { tokens: VerifyToken; now: Clock },
): Promise<Credential> {
  const [, token] = /^Bearer +([\w.-]+)$/i.exec(header(event, 'authorization') ?? '') ?? []
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw new DomainError('unauthenticated')
  return tokens(token, now)
}
