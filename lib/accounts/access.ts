import type { Resolved } from '#lib/config/config'
import type { Access, Caller } from '#lib/http/access'
import type { SignInAge } from '#lib/http/console-token'
import { log } from '#lib/http/log'
import { type HttpEvent, hasCredential } from '#lib/http/request'
import { clock, settings } from '#lib/http/runtime'
import { type Authentication, type Credential, credentialOf, tokenVerifier } from '#lib/http/tokens'
import { CONSOLE_ROLES, type ConsoleRole } from '#lib/kernel/console-role'
import { DomainError, type ProblemCode } from '#lib/kernel/domain-error'
import { administratorId, type SessionId, type UserId } from '#lib/kernel/id'
import type { Account } from './account.ts'
import { accountReader } from './account-reader.dynamo.ts'

/** A signed-in user, with the record that proved their session live, so that it is read once. */
export type User = { kind: 'user'; userId: UserId; sessionId: SessionId; account: Account } & Authentication

/** An administrator or a machine of the operator, by the subject of the console token. */
type Administrator = {
  kind: 'administrator'
  subject: string
  roles: readonly ConsoleRole[]
  signIn: SignInAge
}

/** The user of a verified platform token. Their session may have ended: the token outlives it by up to ten minutes. */
type TokenHolder = { kind: 'user'; userId: UserId }

/** Accounts are read consistently: a session may have ended a moment ago. */
const deps = { tokens: tokenVerifier, accounts: accountReader, settings, now: clock }
type Deps = Resolved<typeof deps>

/** A user with a live session. A console token never acts as a user: `forbidden`. */
export const user = usersWho('user')

/** A user whose record has an agent profile now, even if the token is older. */
export const agent = usersWho('agent', {
  needs: ({ agent }) => agent !== null,
  else: 'agent_profile_required',
})

/** A user whose e-mail is verified. */
export const userWithVerifiedEmail = usersWho('user with a verified e-mail', {
  needs: ({ provenAt }) => provenAt !== null,
  else: 'email_not_verified',
})

type AdministratorOptions = {
  /** `fresh`: the token must be of a recent sign-in. */
  signIn?: 'fresh'
}

/**
 * Administrators with one of these roles and, for a `GET`, auditors. Members of `CONSOLE_ADMIN_GROUP` have every role.
 * A platform token never makes an administrator: `forbidden`.
 */
export const administrator = (
  roles: readonly ConsoleRole[],
  { signIn }: AdministratorOptions = {},
): Access<Administrator> => ({
  name: `administrator for ${roles.join(', ')}${signIn === 'fresh' ? ', freshly signed in' : ''}`,
  roles,
  security: ['console'],
  problems: ['unauthenticated', 'forbidden', ...(signIn === 'fresh' ? (['step_up_required'] as const) : [])],
  deps,
  check: async (event, deps: Deps) => {
    const actor = await administratorOf(await credentialOf(event, deps), neededFor(event, roles), deps)
    if (signIn === 'fresh') demandFreshSignIn(deps, actor)
    return callerOf(actor)
  },
})

/** Every role but the auditor's. */
export const EVERY_ROLE = CONSOLE_ROLES.filter((role) => role !== 'auditor')

/** Demands a fresh sign-in only where a condition on the request holds. */
export const demandFreshSignInIf = (
  isNeeded: boolean,
  deps: Pick<Deps, 'settings'>,
  actor: Administrator,
): void => {
  if (isNeeded) demandFreshSignIn(deps, actor)
}

/**
 * Throws `step_up_required` unless the administrator signed in a short while ago; a machine never did. The log reports
 * once that the issuer's tokens carry no time of sign-in.
 */
function demandFreshSignIn({ settings }: Pick<Deps, 'settings'>, { signIn }: Administrator): void {
  if (signIn === 'fresh') return
  if (signIn === 'unknown' && !isIssuerLogged) {
    isIssuerLogged = true
    const message = 'Console tokens carry no auth_time: fresh sign-ins need an issuer that states it'
    log(settings, 'warn', { message, variable: 'CONSOLE_STEP_UP_SECONDS' })
  }
  throw new DomainError('step_up_required', { detail: 'Sign in again, then repeat the request' })
}
let isIssuerLogged = false

/** A user, or an administrator with one of these roles. The use case decides which records each may touch. */
export const userOrAdministrator = (roles: readonly ConsoleRole[]): Access<User | Administrator> =>
  orAdministrator(user, roles)

/** A user whose e-mail is verified, or an administrator with one of these roles. */
export const userWithVerifiedEmailOrAdministrator = (
  roles: readonly ConsoleRole[],
): Access<User | Administrator> => orAdministrator(userWithVerifiedEmail, roles)

const orAdministrator = (
  users: Access<User>,
  roles: readonly ConsoleRole[],
): Access<User | Administrator> => ({
  ...users,
  name: `${users.name} or administrator for ${roles.join(', ')}`,
  roles,
  security: ['platform', 'console'],
  check: async (event, deps: Deps) => {
    const holder = await credentialOf(event, deps)
    if (holder.kind === 'console')
      return callerOf(await administratorOf(holder, neededFor(event, roles), deps))
    const actor = await liveUser(holder, deps)
    users.admit?.(actor)
    return callerOf(actor)
  },
})

/** The roles whose administrators are recognised on a public route. Every other administrator counts as the public. */
type PublicOptions = { administrators: readonly ConsoleRole[] }

/** Anyone. A token that is sent must be valid, and the session of a user's token must be live. */
export const anyone = ({ administrators: roles }: PublicOptions): Access<User | Administrator | null> => ({
  name: 'anyone',
  roles,
  security: ['none', 'platform', 'console'],
  problems: ['unauthenticated', 'forbidden'],
  deps,
  check: async (event, deps: Deps) => {
    if (!hasCredential(event)) return STRANGER
    const holder = await credentialOf(event, deps)
    return holder.kind === 'user'
      ? callerOf(await liveUser(holder, deps))
      : publicUnless(holder, neededFor(event, roles))
  },
})

/** Anyone. A token that is sent must be valid. The session of a user's token is not read. */
export const anyoneWithoutSessionCheck = ({
  administrators: roles,
}: PublicOptions): Access<TokenHolder | Administrator | null> => ({
  name: 'anyone without session check',
  roles,
  security: ['none', 'platform', 'console'],
  problems: ['unauthenticated', 'forbidden'],
  deps,
  check: async (event, deps: Deps) => {
    if (!hasCredential(event)) return STRANGER
    const holder = await credentialOf(event, deps)
    return holder.kind === 'user'
      ? callerOf({ kind: 'user', userId: holder.userId })
      : publicUnless(holder, neededFor(event, roles))
  },
})

/** A caller without a credential that counts: neither log lines nor idempotency keys name them. */
const STRANGER = { actor: null, id: null }

/** Returns an administrator with one of these roles; every other holder of a console token counts as the public. */
const publicUnless = (
  holder: Extract<Credential, { kind: 'console' }>,
  needs: readonly ConsoleRole[],
): Caller<Administrator | null> =>
  needs.some((role) => holder.roles.includes(role))
    ? callerOf({ ...holder, kind: 'administrator' })
    : STRANGER

/** Users with a live session. If a rule is given, their account must meet it. */
function usersWho(
  name: string,
  rule?: { needs: (account: Account) => boolean; else: ProblemCode },
): Access<User> {
  const admit = ({ account }: { account: Account }) => {
    if (rule && !rule.needs(account)) throw new DomainError(rule.else)
  }
  return {
    name,
    security: ['platform'],
    problems: ['unauthenticated', 'forbidden', ...(rule ? [rule.else] : [])],
    deps,
    // Also called on its own, for an API key, which `check` never sees.
    admit,
    check: async (event, deps: Deps) => {
      const actor = await liveUser(await credentialOf(event, deps), deps)
      admit(actor)
      return callerOf(actor)
    },
  }
}

/** Returns a caller with the name that log lines and idempotency keys use. */
const callerOf = <Actor extends TokenHolder | Administrator>(actor: Actor): Caller<Actor> => ({
  actor,
  id: actor.kind === 'user' ? actor.userId : administratorId(actor.subject),
})

async function liveUser(holder: Credential, { accounts, now }: Deps): Promise<User> {
  if (holder.kind !== 'user') throw new DomainError('forbidden')
  const account = await accounts.get(holder.userId)
  const endsAt = account?.sessions[holder.sessionId]
  if (account?.status !== 'ACTIVE' || endsAt === undefined || endsAt * 1000 <= now().getTime()) {
    throw new DomainError('unauthenticated')
  }
  return { ...holder, account }
}

/** Returns the roles that allow a request: an auditor may read everything that an administrator may. */
const neededFor = (event: HttpEvent, roles: readonly ConsoleRole[]): readonly ConsoleRole[] =>
  event.requestContext.http.method === 'GET' && !roles.includes('auditor') ? [...roles, 'auditor'] : roles

async function administratorOf(
  holder: Credential,
  needs: readonly ConsoleRole[],
  deps: Deps,
): Promise<Administrator> {
  if (holder.kind === 'console') {
    if (!needs.some((role) => holder.roles.includes(role))) {
      throw new DomainError('forbidden', { extensions: { needs } })
    }
    return { ...holder, kind: 'administrator' }
  }
  // The token of an ended session is refused with 401 everywhere, before any 403.
  await liveUser(holder, deps)
  throw new DomainError('forbidden')
}
