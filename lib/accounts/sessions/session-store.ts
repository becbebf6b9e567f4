import type { Account, FactorSummary } from '#lib/accounts/account'
import type { SessionId, UserId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { Session } from './session.ts'

/**
 * Where sessions live. Reads are consistent; writes are values for `commit`. The account lists its sessions, each in a path of
 * its own: they begin, go on and end without a new version of the account.
 */
export type SessionStore = {
  get: (id: SessionId) => Promise<Session | undefined>
  /** Reads at most 100; ended sessions are left out. */
  many: (ids: readonly string[]) => Promise<Session[]>
  /** Replaces a session if it was neither refreshed nor stepped up since `seen`; else `WriteConflict`. */
  replace: (seen: Session, next: Session) => Write
  /**
   * Adds a session to an account and stores its network: expired sessions are dropped, and the oldest beyond fifty. Throws
   * `WriteConflict` if the account has another version. Factors that differ from the account's make a new version.
   */
  begin: (account: Account, session: Session, now: Date, factors: FactorSummary) => Write[]
  /**
   * Extends the time for which the account lists a session, and stores the session's network. Throws `WriteConflict` if
   * the account has another version.
   */
  noteUse: (account: Account, session: Session, now: Date) => Write
  /** Ends a session that the account lists as it was read; `WriteConflict` once it has ended. */
  endOnce: (account: Account, id: SessionId) => Write[]
  commit: Commit
}

/** Removes every session of a deleted account, including sessions that it no longer listed. Safe to repeat. */
export type SessionEraser = { removeAll: (userId: UserId) => Promise<void> }

export type SessionReader = Pick<SessionStore, 'get' | 'many'>
