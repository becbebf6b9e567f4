import type { Timestamp } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import type { FavouriteStore } from './favourite.ts'
import { removeFavourite } from './save-favourite.ts'

/** Removes the favourites of a person: all, or those for whose time of saving `shouldErase` holds. Safe to repeat. */
export async function eraseFavourites(
  { favourites }: { favourites: FavouriteStore },
  userId: UserId,
  shouldErase: (savedAt: Timestamp) => boolean = () => true,
): Promise<void> {
  for (const { listingId, savedAt } of await favourites.ofUser(userId)) {
    if (shouldErase(savedAt)) await removeFavourite({ favourites }, userId, listingId)
  }
}
