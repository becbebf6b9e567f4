import * as z from 'zod'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'

/** The hash of an account's password, stored apart from the account, so that only functions for passwords may read it. */
export const StoredPassword = z.object({
  userId: UserId,
  hash: z.string(),
  /** The account's `passwordRevision` of this password. */
  revision: z.int(),
})
export type StoredPassword = z.infer<typeof StoredPassword>

/**
 * Where passwords are stored. Reads are consistent; writes are values for `commit`, in the transaction that changes the
 * account's `passwordRevision` or removes the account.
 */
export type PasswordStore = {
  /** Returns undefined for an account without a password: after an undone change of address, until the reset. */
  get: (userId: UserId) => Promise<StoredPassword | undefined>
  put: (password: StoredPassword) => Write
  remove: (userId: UserId) => Write
}

export type PasswordReader = Pick<PasswordStore, 'get'>
