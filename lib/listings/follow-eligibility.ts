import { type Account, isEligibleToPublish } from '#lib/accounts/account'
import type { AccountWitness } from '#lib/accounts/account-store'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import type { ListingId, UserId } from '#lib/kernel/id'
import { PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { type Listing, OWNER_NOT_VERIFIED } from './listing.ts'
import type { ListingStore } from './listing-store.ts'
import { type ListingDeps, type MoveDeps, moveWrites } from './move-listing.ts'

type FollowDeps = ListingDeps &
  MoveDeps & { listings: Pick<ListingStore, 'byAgent'>; accounts: AccountWitness }

/** Every move holds the account and the agent's counters for a moment: several at once would wait for each other. */
const WIDTH = 1

/**
 * Lets an agent's listings follow the agent's eligibility: published ones are suspended when it is lost, and exactly
 * those return with it; a moderator's own suspension stays. Each by its own write, under the listing's version and the
 * decision that caused it, so that the newest decision wins. Safe to repeat: a failed move does not stop the others,
 * and is made the next time. Returns how many have moved.
 */
export async function followEligibility(deps: FollowDeps, userId: UserId): Promise<number> {
  const account = await deps.accounts.get(userId)
  if (!account) return 0
  let moved = 0
  let after: ListingId | undefined
  for (;;) {
    const { items, next } = await deps.listings.byAgent(userId, { limit: PAGE_SIZE, after })
    const moves = await inParallel(items, (listing) => follow(deps, account, listing), { width: WIDTH })
    moved += moves.filter(Boolean).length
    if (next === undefined) return moved
    after = next
  }
}

const follow = (deps: FollowDeps, seenAccount: Account, seenListing: Listing): Promise<boolean> =>
  retryConflicts(async (isRetry) => {
    const { accounts, listings, now } = deps
    const account = isRetry ? await accounts.get(seenAccount.id) : seenAccount
    const listing = isRetry ? await listings.get(seenListing.id) : seenListing
    const at = timestamp(now())
    const next = account && listing && withEligibility(listing, isEligibleToPublish(account, now()), at)
    if (!next) return false
    const motive = { by: 'system', reasons: next.reasons, message: null, note: null }
    await listings.commit([
      ...moveWrites(deps, listing, next, at, motive),
      accounts.requireUnchanged(account.id, { eligibilityRevision: account.eligibilityRevision }),
    ])
    return true
  })

/** The listing as the eligibility has it; undefined where it stays as it is. */
function withEligibility(listing: Listing, isEligible: boolean, at: Timestamp): Listing | undefined {
  const { status, reasons, version } = listing
  const moved = { ...listing, message: null, note: null, version: version + 1, updatedAt: at }
  if (status === 'PUBLISHED' && !isEligible) {
    return { ...moved, status: 'SUSPENDED', reasons: [OWNER_NOT_VERIFIED] }
  }
  const isOurs = status === 'SUSPENDED' && reasons.length === 1 && reasons[0] === OWNER_NOT_VERIFIED
  return isOurs && isEligible ? { ...moved, status: 'PUBLISHED', reasons: [] } : undefined
}
