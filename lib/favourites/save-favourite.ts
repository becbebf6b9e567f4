import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { rereadByRegistration } from '#lib/accounts/reread-caller'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { isComplete } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { isPublic } from '#lib/listings/read-listing'
import type { StatisticsStore } from '#lib/listings/statistics/statistics'
import type { FavouriteStore } from './favourite.ts'

type Deps = {
  favourites: FavouriteStore
  listings: ListingReader
  accounts: AccountReader
  statistics: StatisticsStore
  now: Clock
}

/**
 * Saves a public listing for a person. Changes nothing for one that the person has saved already, public or not. Throws
 * `not_found` and `favourite_limit_reached`.
 */
export const saveFavourite = (deps: Deps, caller: Account, listingId: ListingId): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByRegistration(deps, caller) : caller
    const { id: userId } = caller
    const { favourites, listings, accounts, statistics, now } = deps
    const found = beginAhead(listings.get(listingId))
    if (await favourites.get(userId, listingId)) return
    const listing = await found
    const owner = listing && (await accounts.get(listing.agentId))
    if (!listing || !isComplete(listing) || !isPublic(listing, owner, now)) throw new DomainError('not_found')
    const savedAt = timestamp(now())
    await favourites.commit([
      ...favourites.insert({ userId, listingId, savedAt, savedPrice: listing.price }),
      deps.accounts.requireUnchanged(account),
      statistics.count(listingId, 'favourites', savedAt, userId),
    ])
  })

/** Removes a listing from a person's favourites; succeeds also if it is not among them. */
export const removeFavourite = (
  { favourites }: { favourites: FavouriteStore },
  userId: UserId,
  listingId: ListingId,
): Promise<void> =>
  retryConflicts(async () => {
    const favourite = await favourites.get(userId, listingId)
    if (favourite) await favourites.commit(favourites.remove(favourite))
  })
