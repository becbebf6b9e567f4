import type { AccountStore } from '#lib/accounts/account-store'
import type { UserLists } from '#lib/accounts/user-lists'
import type { Clock } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Progress } from '#lib/kernel/progress'
import { retryConflicts } from '#lib/kernel/retry'
import type { ListingStore } from '#lib/listings/listing-store'
import { recountListings } from '#lib/listings/recount-listings'
import { idsOf, WALKED_PAGE, type Walked, walkLists } from './walk-lists.ts'

type Deps = {
  accounts: AccountStore
  userLists: UserLists
  listings: ListingStore
  progress: Progress
  now: Clock
}

/**
 * Lists every account again by name and telephone number, and counts its listings again. Needed for accounts that are
 * older than those lists and counters. `changed` of the result counts accounts with wrong counters. Run it until `isDone`.
 * Safe to repeat, and while accounts change.
 */
export const rebuildAccounts = (deps: Deps): Promise<Walked> =>
  walkLists(
    deps,
    'rebuild-accounts',
    [
      async (after) =>
        idsOf(await deps.userLists.page({ list: 'ALL', limit: WALKED_PAGE, after }), ({ id }) => id),
    ],
    (id) => rebuildAccount(deps, UserId.parse(id)),
  )

async function rebuildAccount({ accounts, listings }: Deps, id: UserId): Promise<boolean> {
  const account = await retryConflicts(async () => {
    const seen = await accounts.get(id)
    if (seen) await accounts.commit(accounts.relist(seen))
    return seen
  })
  return account?.agent ? recountListings({ listings }, id) : false
}
