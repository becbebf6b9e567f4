import type { Dependencies } from '#lib/config/config'
import type { ConsoleRole } from '#lib/kernel/console-role'
import type { ProblemCode } from '#lib/kernel/domain-error'
import type { HttpEvent } from './request.ts'

/**
 * The dependencies that a declaration names, made. A function that takes them is typed as a method, so that it may
 * name their types.
 */
export type GivenDeps = Readonly<Record<string, unknown>>

/** A credential of the OpenAPI document's `securitySchemes`, or none. */
type SecurityScheme = 'platform' | 'console' | 'none'

/**
 * The actor that `run` receives. `id` names the caller in log lines and idempotency keys; null without a credential.
 */
export type Caller<Actor> = { actor: Actor; id: string | null }

/**
 * Who may call an endpoint, and the check of it. `Actor` is the type of the caller that `run` receives.
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
  /** Checks the account of an actor whom an API key names, as `check` does for a token. Throws if it does not qualify. */
  admit?(actor: unknown): void
  /** The dependencies of `check`; an endpoint does not name them again. */
  readonly deps: Dependencies
  check(event: HttpEvent, deps: GivenDeps): Promise<Caller<Actor>>
}

/** Who may call an endpoint by an API key instead, and with which scope. */
export type ApiKeyAccess<Actor = unknown> = {
  /** The scopes of which a key needs one. */
  readonly scopes: readonly string[]
  readonly deps: Dependencies
  check(event: HttpEvent, deps: GivenDeps): Promise<Caller<Actor>>
}

/** Lets everyone in; an `Authorization` header is not read. */
export const publicAccess: Access<undefined> = {
  name: 'public',
  security: ['none'],
  problems: [],
  deps: {},
  check: async () => ({ actor: undefined, id: null }),
}
