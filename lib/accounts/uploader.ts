import type { Account } from './account.ts'
import { type ListingLimits, limitsOf } from './listing-limits.ts'

/** Returns what `countUploads` needs of an account. */
export const uploaderOf = (account: Account, general: ListingLimits) => ({
  id: account.id,
  filesAnHour: limitsOf(account, general).files,
})
