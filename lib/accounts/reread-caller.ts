import { DomainError } from '#lib/kernel/domain-error'
import type { SessionId } from '#lib/kernel/id'
import type { Account } from './account.ts'
import type { AccountReader } from './account-store.ts'

// A request that conflicts reads its caller's account again: meanwhile the account may be another person's.

/** A signed-in caller: the session, and the account as it was read when the session was checked. */
export type SignedInCaller = { account: Account; sessionId: SessionId }

type Deps = { accounts: AccountReader }

/**
 * Reads the account again. Throws `unauthenticated` once it is deleted, banned or given back to its owner: each of the last
 * two replaces the registration.
 */
export async function rereadByRegistration({ accounts }: Deps, seen: Account): Promise<Account> {
  const account = await accounts.get(seen.id)
  if (account?.registration !== seen.registration) throw new DomainError('unauthenticated')
  return account
}

/**
 * Reads the account again. Throws `unauthenticated` once it is deleted or banned, or has a new password: it may then have
 * been taken back from the caller.
 */
export async function rereadByPassword({ accounts }: Deps, seen: Account): Promise<Account> {
  const account = await accounts.get(seen.id)
  if (account?.status !== 'ACTIVE' || account.passwordRevision !== seen.passwordRevision) {
    throw new DomainError('unauthenticated')
  }
  return account
}

/** Reads the account again as `rereadByPassword`. Throws also once the session has ended, as by a sign-out everywhere. */
export async function rereadBySession(
  deps: Deps,
  { account: seen, sessionId }: SignedInCaller,
): Promise<Account> {
  const account = await rereadByPassword(deps, seen)
  if (!(sessionId in account.sessions)) throw new DomainError('unauthenticated')
  return account
}
