import type { Timestamp } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import { deleteSavedSearch } from './manage-saved-searches.ts'
import type { MatchStore, SavedSearchStore } from './saved-search.ts'

/** Removes the saved searches of a person: all, or those for whose time `shouldErase` holds. Safe to repeat. */
export async function eraseSavedSearches(
  deps: { searches: SavedSearchStore; matches: MatchStore },
  userId: UserId,
  shouldErase: (createdAt: Timestamp) => boolean = () => true,
): Promise<void> {
  for (const { id, createdAt } of await deps.searches.ofUser(userId)) {
    if (shouldErase(createdAt)) await deleteSavedSearch(deps, userId, id)
  }
}
