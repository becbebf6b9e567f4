import type { Timestamp } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import type { FavouriteStore } from './favourite.ts'
import { removeFavourite } from './save-favourite.ts'

/** Removes the favourites of a person, all of them or those saved at certain moments. Safe to repeat. */
export async function eraseFavourites(
  { favourites }: { favourites: Pick<FavouriteStore, 'get' | 'ofUser' | 'remove' | 'commit'> },
  userId: UserId,
  isErased: (savedAt: Timestamp) => boolean = () => true,
): Promise<void> {
  for (const { listingId, savedAt } of await favourites.ofUser(userId)) {
    if (isErased(savedAt)) await removeFavourite({ favourites }, userId, listingId)
  }
}
