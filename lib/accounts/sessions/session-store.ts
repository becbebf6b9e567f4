import type { Account } from '#lib/accounts/account'
import type { SessionId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { Session } from './session.ts'

/** Where sessions live. Reads are consistent; writes are values for `commit`. */
export type SessionStore = {
  get: (id: SessionId) => Promise<Session | undefined>
  /** At most 100; those that are gone are left out. */
  many: (ids: readonly string[]) => Promise<Session[]>
  /** The next generation, if nobody else has begun one since `seen`; else `WriteConflict`. */
  rotate: (seen: Session, next: Session) => Write
  /** Lists a session with its account for longer, if it is still listed as seen; else `WriteConflict`. */
  prolong: (account: Account, id: SessionId, untilSeconds: number) => Write
  /** Ends sessions of an account at once, everywhere. */
  end: (account: Account, ids: readonly string[]) => Write[]
  commit: Commit
}
