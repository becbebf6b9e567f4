import type { Session } from '#lib/accounts/sessions/session'
import type { UserId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { Account } from './account.ts'

/** Where accounts and sessions live. Reads are consistent; writes are values for `commit`. */
export type AccountStore = {
  get: (id: UserId) => Promise<Account | undefined>
  /** At most 100, in no particular order; whoever is not there is left out. */
  getMany: (ids: UserId[]) => Promise<Account[]>
  byEmail: (email: string) => Promise<Account | undefined>
  /** A new account and its claim on the address: `email_taken` when somebody has it. */
  insert: (account: Account) => Write[]
  /** Moves an account to where its next state stands in the administrators' lists; undefined is nowhere. */
  relist: (before: Account | undefined, after: Account | undefined) => Write[]
  /** Changes the named attributes if those of `seen` still have the values seen; else `WriteConflict`. */
  change: (id: UserId, seen: Record<string, unknown>, set: Partial<Account>) => Write
  /** Counts an agent's drafts up or down, within a bound where one is given. */
  countDrafts: (id: UserId, by: 1 | -1, bound?: { below: number; otherwise: () => Error }) => Write
  /** Counts a payment that is started; `unauthenticated` once the account is gone. */
  countPayment: (id: UserId) => Write
  /** Removes an account as it was seen, its claim on the address and its places in lists; else `WriteConflict`. */
  remove: (seen: Account) => Write[]
  /** Holds a transaction to what was seen of an account; else `WriteConflict`. */
  stillAs: (id: UserId, seen: Record<string, unknown>) => Write
  insertSession: (session: Session) => Write[]
  /**
   * Signs a device in and remembers the addresses known to the account, if it still has the password and the
   * sessions seen and is not banned; else `WriteConflict`. `ended` are sessions that make room for it.
   */
  addSession: (account: Account, session: Session, ended: readonly string[]) => Write[]
  commit: Commit
}
