import type { Resolved } from '#lib/config'
import { type Access, type Caller, credentialOf, hasCredential } from '#lib/http/access'
import { clock } from '#lib/http/runtime'
import { type Credential, tokenVerifier } from '#lib/http/tokens'
import { DomainError, type ProblemCode } from '#lib/kernel/domain-error'
import type { SessionId, UserId } from '#lib/kernel/id'
import type { Account } from './account.ts'
import { accountReader } from './account-reader.dynamo.ts'

/** A signed-in user, with the record that proved their session live: nobody needs to read it again. */
export type User = { kind: 'user'; userId: UserId; sessionId: SessionId; account: Account }

/** An administrator, by the subject of the console token. */
export type Administrator = { kind: 'administrator'; subject: string }

/** What a verified platform token says by itself. The session may have ended up to ten minutes ago. */
export type TokenHolder = { kind: 'user'; userId: UserId }

/** Accounts are read consistently: a session may have ended a moment ago. */
const deps = { tokens: tokenVerifier, accounts: accountReader, now: clock }
type Deps = Resolved<typeof deps>

/** A user with a live session. A console token never acts as a user: `forbidden`. */
export const user = usersWho('user')

/** A user with an agent profile, as their record says now, whatever the token says. */
export const agent = usersWho('agent', {
  needs: ({ agent }) => agent !== null,
  else: 'agent_profile_required',
})

/** A user whose e-mail is verified. */
export const provenUser = usersWho('user with a proven e-mail', {
  needs: ({ emailVerified }) => emailVerified,
  else: 'email_not_verified',
})

/** A console token of the administrators' group. A platform token never makes one: `forbidden`. */
export const administrator: Access<Administrator> = {
  name: 'administrator',
  security: ['console'],
  problems: ['unauthenticated', 'forbidden'],
  deps,
  check: async (event, deps: Deps) => called(await administratorOf(await credentialOf(event, deps), deps)),
}

/** A user or an administrator; which resources each may touch is the use case's to say. */
export const userOrAdministrator: Access<User | Administrator> = {
  name: 'user or administrator',
  security: ['platform', 'console'],
  problems: ['unauthenticated', 'forbidden'],
  deps,
  check: async (event, deps: Deps) => {
    const holder = await credentialOf(event, deps)
    return called(holder.kind === 'user' ? await liveUser(holder, deps) : await administratorOf(holder, deps))
  },
}

/** Anyone; a token, where one is sent, must be good. The session behind it is not looked up. */
export const anyone: Access<TokenHolder | Administrator | null> = {
  name: 'anyone',
  security: ['none', 'platform', 'console'],
  problems: ['unauthenticated', 'forbidden'],
  deps,
  check: async (event, deps: Deps) => {
    if (!hasCredential(event)) return { actor: null, id: null }
    const holder = await credentialOf(event, deps)
    if (holder.kind === 'user') return called({ kind: 'user', userId: holder.userId })
    return called(await administratorOf(holder, deps))
  },
}

/** Anyone; a token, where one is sent, must be good, and a user's session live. */
export const visitor: Access<User | Administrator | null> = {
  name: 'visitor',
  security: ['none', 'platform', 'console'],
  problems: ['unauthenticated', 'forbidden'],
  deps,
  check: async (event, deps: Deps) => {
    if (!hasCredential(event)) return { actor: null, id: null }
    const holder = await credentialOf(event, deps)
    return called(holder.kind === 'user' ? await liveUser(holder, deps) : await administratorOf(holder, deps))
  },
}

/** Users with a live session, whose account meets a rule where one is given. */
function usersWho(
  name: string,
  rule?: { needs: (account: Account) => boolean; else: ProblemCode },
): Access<User> {
  return {
    name,
    security: ['platform'],
    problems: ['unauthenticated', 'forbidden', ...(rule ? [rule.else] : [])],
    deps,
    check: async (event, deps: Deps) => {
      const actor = await liveUser(await credentialOf(event, deps), deps)
      if (rule && !rule.needs(actor.account)) throw new DomainError(rule.else)
      return called(actor)
    },
  }
}

const called = <Actor extends TokenHolder | Administrator>(actor: Actor): Caller<Actor> => ({
  actor,
  id: actor.kind === 'user' ? actor.userId : `admin:${actor.subject}`,
})

async function liveUser(holder: Credential, { accounts, now }: Deps): Promise<User> {
  if (holder.kind !== 'user') throw new DomainError('forbidden')
  const account = await accounts.get(holder.userId)
  const endsAt = account?.sessions[holder.sessionId]
  if (account?.status !== 'ACTIVE' || endsAt === undefined || endsAt * 1000 <= now().getTime()) {
    throw new DomainError('unauthenticated')
  }
  return { kind: 'user', userId: holder.userId, sessionId: holder.sessionId, account }
}

async function administratorOf(holder: Credential, deps: Deps): Promise<Administrator> {
  if (holder.kind === 'console' && holder.administrator)
    return { kind: 'administrator', subject: holder.subject }
  // A token whose session has ended is no good credential, wherever it is shown: 401 before 403.
  if (holder.kind === 'user') await liveUser(holder, deps)
  throw new DomainError('forbidden')
}
