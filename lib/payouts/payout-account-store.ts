import type { UserId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { PayoutAccount } from './payout-account.ts'

/** Where payout accounts are stored, apart from payouts: few functions may read whose money goes where. Reads are consistent. */
export type PayoutAccountStore = {
  get: (agentId: UserId) => Promise<PayoutAccount | undefined>
  /** Stores an account over the version that was read; throws `WriteConflict` after another change. */
  put: (seen: PayoutAccount | undefined, next: PayoutAccount) => Write
  /** Requires that an account is still the version that was read. */
  requireUnchanged: (seen: PayoutAccount) => Write
  /** Removes an account; where a version is given, only that one, and a `WriteConflict` where it has changed. */
  remove: (agentId: UserId, version?: number) => Write
  commit: Commit
}

export type PayoutAccountReader = Pick<PayoutAccountStore, 'get' | 'requireUnchanged'>
