import type { Session } from '#lib/accounts/sessions/session'
import type { Timestamp } from '#lib/kernel/clock'
import type { SessionId, UserId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { Account } from './account.ts'
import type { Restoration } from './addresses/restoration.ts'

/**
 * The change of an account by an administrator's decision, which `changeUser` saves: new fields, and the other writes of the
 * transaction.
 */
export type AccountUpdate = { fields: Partial<Account>; also: readonly Write[] }

/** Where accounts and sessions are stored. Reads are consistent; writes are values for `commit`. */
export type AccountStore = {
  get: (id: UserId) => Promise<Account | undefined>
  /** At most 100, in no particular order; unknown ids are left out. */
  getMany: (ids: UserId[]) => Promise<Account[]>
  /** The account of an address; an address that is only kept for its former owner has none. */
  byEmail: (email: string) => Promise<Account | undefined>
  /** A new account and its claim on the address: `email_taken` when another account has or keeps the address. */
  insert: (account: Account) => Write[]
  /**
   * Turns `before` into `after` in one transaction, and raises the version. Throws `WriteConflict` when the account has another
   * version than `before`. Claims a new address (`email_taken`) and keeps a former one while its owner can restore it. Moves the
   * account in the administrators' lists. Where sessions differ, only the sessions of `after` live on: sessions that began
   * since `before` end too. Raises `eligibilityRevision`, and records a change of the status or of the eligibility for the functions
   * that follow it. `also` is part of the transaction.
   */
  save: (before: Account, after: Account, also?: readonly Write[]) => Promise<void>
  /**
   * Removes an account, its entries in lists and the claims on addresses that it has `at`; `WriteConflict` if it or its
   * sessions have changed. The removals of its sessions come last: they may be left out, since a session lives while its account
   * lists it.
   */
  remove: (seen: Account, at: Timestamp) => Write[]
  /** Writes an account's entries in the administrators' lists again; `WriteConflict` if the account has changed. */
  relist: (seen: Account) => Write[]
  /** Makes a transaction a `WriteConflict` once the account has another version or is deleted. */
  requireUnchanged: (seen: Pick<Account, 'id' | 'version'>) => Write
  insertSession: (session: Session) => Write
  /** Ends a session of an account at once, everywhere. Throws `unauthenticated` for a deleted account. */
  endSession: (id: UserId, session: SessionId) => Promise<void>
  /** Makes a transaction a `WriteConflict` once the session has ended. */
  requireSession: (id: SessionId) => Write
  /**
   * Stores that a former address was brought back. A function on the table's stream then removes what was entered since the
   * change.
   */
  storeRestoration: (restoration: Restoration) => Write
  commit: Commit
}

/** Reads accounts, and makes other records' transactions depend on an account. */
export type AccountReader = Pick<AccountStore, 'get' | 'getMany' | 'requireUnchanged'>

/** Reads accounts by their address too, and sessions: apart, since most functions may see neither. */
export type AccountFinder = AccountReader & Pick<AccountStore, 'byEmail' | 'requireSession'>
