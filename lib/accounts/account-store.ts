import type { Session } from '#lib/accounts/sessions/session'
import type { Timestamp } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { Account, AgentProfile } from './account.ts'
import type { Restoration } from './addresses/restoration.ts'
import type { KycState } from './kyc-state.ts'

/** The path of a value in an account, such as `eligibilityRevision` or `kyc.documentCount`. */
export type AccountPath =
  | keyof Account
  | `agent.${keyof AgentProfile}`
  | `kyc.${keyof KycState}`
  | `sessions.${string}`

/**
 * The change of an account by an administrator's decision, which `changeUser` saves: new fields, the values that they
 * depend on, and the other writes of the transaction.
 */
export type AccountUpdate = {
  fields: Partial<Account>
  ifUnchanged: readonly AccountPath[]
  also: readonly Write[]
}

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
   * Turns `before` into `after` in one transaction. Throws `WriteConflict` when a value in `ifUnchanged` has changed. A change
   * of what the administrators' lists hold conflicts with every other such change. Claims a new address (`email_taken`) and
   * keeps a former one while its owner can restore it. Moves the account in the administrators' lists, and removes sessions
   * that `after` lacks. Records a raised `eligibilityRevision` for the functions that follow it. `also` is part of the
   * transaction.
   */
  save: (
    before: Account,
    after: Account,
    options: { ifUnchanged: readonly AccountPath[]; also?: readonly Write[] },
  ) => Promise<void>
  /** Counts a payment that is started; `unauthenticated` once the account is gone or has another registration. */
  countPayment: (payer: Pick<Account, 'id' | 'registration'>) => Write
  /**
   * Removes an account, its entries in lists and the claims on addresses that it has `at`; `WriteConflict` if changed. The
   * removals of its sessions come last: they may be left out, since a session lives while its account lists it.
   */
  remove: (seen: Account, at: Timestamp) => Write[]
  /** Writes an account's entries in the administrators' lists again; `WriteConflict` if what they hold has changed. */
  relist: (seen: Account) => Write[]
  /** Makes a transaction a `WriteConflict` unless the account still has these values. */
  requireUnchanged: (id: UserId, seen: Record<string, unknown>) => Write
  /** Makes a transaction a `WriteConflict` once the account is deleted. */
  requireExisting: (id: UserId) => Write
  insertSession: (session: Session) => Write
  /**
   * Stores that a former address was brought back. A function on the table's stream then removes what was entered since the
   * change.
   */
  storeRestoration: (restoration: Restoration) => Write
  commit: Commit
}

/** Reads accounts. A function with this port alone cannot change them. */
export type AccountReader = Pick<AccountStore, 'get' | 'getMany'>

/** Reads accounts, and makes other records' transactions depend on an account. */
export type AccountReaderWithConditions = AccountReader & Pick<AccountStore, 'requireUnchanged'>
