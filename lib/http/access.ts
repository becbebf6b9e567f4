import type { Dependency } from '#lib/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { SessionId, UserId } from '#lib/kernel/id'
import { type HttpEvent, header } from './request.ts'
import { type Credential, tokenVerifier, type VerifyToken } from './tokens.ts'

/** A signed-in user, with the record that proved their session live: nobody needs to read it again. */
export type User<Account> = { kind: 'user'; userId: UserId; sessionId: SessionId; account: Account }

/** An administrator, by the subject of the console token. */
export type Administrator = { kind: 'administrator'; subject: string }

/** What a verified platform token says by itself. The session may have ended up to ten minutes ago. */
export type TokenHolder = { kind: 'user'; userId: UserId }

/** What must be known of an account to let it act. */
export type Standing = {
  status: 'ACTIVE' | 'BANNED'
  /** Live sessions and when each ends, in Unix seconds. */
  sessions: Readonly<Record<string, number>>
  agent: object | null
}

/** Reads the account of a token's subject; consistently, since a session may have ended a moment ago. */
export type AccountReader<Account extends Standing = Standing> = {
  get: (userId: UserId) => Promise<Account | undefined>
}

/** The dependencies that checking a caller takes. */
export type AccessDeps = { tokens: VerifyToken; now: Clock; accounts: AccountReader }

/** Whoever calls; `caller` is the opaque id by which log lines and idempotency keys go, null for nobody. */
type Caller = { actor: unknown; caller: string | null }

/**
 * Who may call an endpoint: a name for the documents and tests, and the check itself. `Actor` is what the
 * check yields, a function of the account's type.
 */
export type Access<Name extends string = string> = {
  readonly name: Name
  readonly authenticate: (event: HttpEvent, deps: AccessDeps) => Promise<Caller>
  readonly deps: { tokens: Dependency<VerifyToken> }
}

const deps = { tokens: tokenVerifier }

/** Any user with a live session. A console token never acts as a user: `forbidden`. */
export const user: Access<'user'> = {
  name: 'user',
  deps,
  authenticate: async (event, deps) => named(await liveUser(await credential(event, deps), deps)),
}

/** A user with an agent profile, as their record says now, whatever the token says; else `agent_profile_required`. */
export const agent: Access<'agent'> = {
  name: 'agent',
  deps,
  authenticate: async (event, deps) => {
    const caller = await liveUser(await credential(event, deps), deps)
    if (caller.account.agent === null) throw new DomainError('agent_profile_required')
    return named(caller)
  },
}

/** A console token of the administrators' group. A platform token never makes one: `forbidden`. */
export const administrator: Access<'administrator'> = {
  name: 'administrator',
  deps,
  authenticate: async (event, deps) => named(await administratorOf(await credential(event, deps), deps)),
}

/** A user or an administrator; which resources each may touch is the use case's to say. */
export const userOrAdministrator: Access<'user or administrator'> = {
  name: 'user or administrator',
  deps,
  authenticate: async (event, deps) => {
    const holder = await credential(event, deps)
    return named(holder.kind === 'user' ? await liveUser(holder, deps) : await administratorOf(holder, deps))
  },
}

/** Anyone; a token, where one is sent, must be good. The session behind it is not looked up. */
export const anyone: Access<'anyone'> = {
  name: 'anyone',
  deps,
  authenticate: async (event, deps) => {
    if (header(event, 'authorization') === undefined) return { actor: null, caller: null }
    const holder = await credential(event, deps)
    return named(holder.kind === 'user' ? tokenHolder(holder.userId) : await administratorOf(holder, deps))
  },
}

/** The actor that `run` sees, by who may call. */
export type ActorOf<Name, Account> = Name extends 'user' | 'agent'
  ? User<Account>
  : Name extends 'administrator'
    ? Administrator
    : Name extends 'user or administrator'
      ? User<Account> | Administrator
      : Name extends 'anyone'
        ? TokenHolder | Administrator | null
        : never

const tokenHolder = (userId: UserId): TokenHolder => ({ kind: 'user', userId })

const named = (actor: TokenHolder | Administrator): Caller => ({
  actor,
  caller: actor.kind === 'user' ? actor.userId : `admin:${actor.subject}`,
})

async function credential(event: HttpEvent, { tokens, now }: AccessDeps): Promise<Credential> {
  const [, token] = /^Bearer +([\w.-]+)$/i.exec(header(event, 'authorization') ?? '') ?? []
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw new DomainError('unauthenticated')
  return tokens(token, now)
}

/** Cognito's longest access tokens stay well under this; verifying a longer one would only cost us. */
const MAX_TOKEN_LENGTH = 8_192

async function liveUser(holder: Credential, { accounts, now }: AccessDeps): Promise<User<Standing>> {
  if (holder.kind !== 'user') throw new DomainError('forbidden')
  const account = await accounts.get(holder.userId)
  const endsAt = account?.sessions[holder.sessionId]
  if (account?.status !== 'ACTIVE' || endsAt === undefined || endsAt * 1000 <= now().getTime()) {
    throw new DomainError('unauthenticated')
  }
  return { kind: 'user', userId: holder.userId, sessionId: holder.sessionId, account }
}

async function administratorOf(holder: Credential, deps: AccessDeps): Promise<Administrator> {
  if (holder.kind === 'console' && holder.administrator)
    return { kind: 'administrator', subject: holder.subject }
  // A token whose session has ended is no good credential, wherever it is shown: 401 before 403.
  if (holder.kind === 'user') await liveUser(holder, deps)
  throw new DomainError('forbidden')
}
