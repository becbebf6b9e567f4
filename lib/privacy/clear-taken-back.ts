import type { AccountReader } from '#lib/accounts/account-store'
import { eraseFavourites } from '#lib/favourites/erase-favourites'
import type { Timestamp } from '#lib/kernel/clock'
import { retryConflicts } from '#lib/kernel/retry'
import { cancelBeforeTakeBack } from '#lib/payments/payers/cancel-pending'
import { withdrawReports } from '#lib/reports/withdraw-reports'
import { eraseSavedSearches } from '#lib/saved-searches/erase-saved-searches'
import { archiveListings } from './archive-listings.ts'
import type { TakenBack } from './take-back.ts'

type Deps = Parameters<typeof archiveListings>[0] &
  Parameters<typeof eraseFavourites>[0] &
  Parameters<typeof eraseSavedSearches>[0] &
  Parameters<typeof withdrawReports>[0] &
  Parameters<typeof cancelBeforeTakeBack>[0] & { accounts: AccountReader }

/**
 * Ends what was entered in an account before the owner of its address took it back: archives listings, removes favourites
 * and saved searches, withdraws reports and cancels PENDING payments. Safe to repeat.
 */
export async function clearTakenBack(deps: Deps, { userId, at }: TakenBack): Promise<void> {
  const isEarlier = (moment: Timestamp) => moment <= at
  await archiveListings(deps, userId, 'account_taken_back', at)
  await eraseFavourites(deps, userId, isEarlier)
  await eraseSavedSearches(deps, userId, isEarlier)
  await withdrawReports(deps, userId, isEarlier)
  await retryConflicts(() => cancelBeforeTakeBack(deps, userId))
}
