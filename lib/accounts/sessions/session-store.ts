import type { Account } from '#lib/accounts/account'
import type { SessionId, UserId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { Session } from './session.ts'

/** Where sessions live. Reads are consistent; writes are values for `commit`. */
export type SessionStore = {
  get: (id: SessionId) => Promise<Session | undefined>
  /** Reads at most 100; ended sessions are left out. */
  many: (ids: readonly string[]) => Promise<Session[]>
  /** Replaces a session if it was neither refreshed nor stepped up since `seen`; else `WriteConflict`. */
  replace: (seen: Session, next: Session) => Write
  /**
   * Extends the time for which the account lists a session, and stores the session's network. Throws `WriteConflict` if
   * the account's entry for the session has changed.
   */
  noteUse: (account: Account, session: Session, now: Date) => Write
  /** Ends sessions of an account at once, everywhere. */
  end: (account: Account, ids: readonly string[]) => Write[]
  /** Ends a session that the account lists as it was read; `WriteConflict` once it has ended. */
  endOnce: (account: Account, id: SessionId) => Write[]
  commit: Commit
}

/** Removes every session of a deleted account, including sessions that it no longer listed. Safe to repeat. */
export type SessionEraser = { removeAll: (userId: UserId) => Promise<void> }
