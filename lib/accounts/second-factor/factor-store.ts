import type { Timestamp } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { Factors } from './factors.ts'

/** A removal of every factor of an account, which an administrator asked for and which is due `at` this time. */
export type DueRemoval = { userId: UserId; at: Timestamp }

/** Where second factors are stored. Reads are consistent; writes are values for `commit`. */
export type FactorStore = {
  /** Returns an empty record for an account that never had a factor. */
  get: (userId: UserId) => Promise<Factors>
  /** The account of a passkey. */
  ownerOf: (credentialId: string) => Promise<UserId | undefined>
  /**
   * Replaces an account's factors; a `WriteConflict` if they changed since `seen`. Claims new passkeys
   * (`invalid_passkey` if another account has one) and frees removed ones.
   */
  replace: (seen: Factors, next: Factors) => Write[]
  /** Removes every factor of an account. */
  remove: (seen: Factors) => Write[]
  /** Uses a challenge up: of many uses at once one succeeds, the others throw what `otherwise` makes. */
  spend: (challenge: { token: string; expiresAtSeconds: number }, otherwise: () => Error) => Write
  /** Adds a removal to those that a job carries out when they are due. */
  scheduleRemoval: (removal: DueRemoval) => Write
  unscheduleRemoval: (removal: DueRemoval) => Write
  /** The removals of a UTC day that are due at a moment. */
  dueOn: (day: Date, until: Timestamp) => Promise<DueRemoval[]>
  commit: Commit
}

export type FactorReader = Pick<FactorStore, 'get' | 'ownerOf' | 'dueOn'>
