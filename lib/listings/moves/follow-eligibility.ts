import { type Account, isEligibleToPublish } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import type { ListingId, UserId } from '#lib/kernel/id'
import { PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { type Listing, OWNER_NOT_VERIFIED } from '../listing.ts'
import type { ListingReader } from '../listing-store.ts'
import { type ListingDeps, type MoveDeps, moveWrites } from './move-listing.ts'

type FollowDeps = ListingDeps & MoveDeps & { listings: ListingReader; accounts: AccountReader }

/** Moves one listing at a time: every move writes the agent's counters, and simultaneous ones would conflict. */
const WIDTH = 1

/**
 * Suspends an agent's published listings when the agent loses eligibility, and publishes exactly these again when the
 * agent regains it. Each listing moves by a write of its own, conditional on its version and the account's version: the
 * newest decision wins. Where a move fails, throws its error once the other moves of its page are made. A repeated call
 * makes the move. Returns the number of moves.
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
      accounts.requireUnchanged(account),
    ])
    return true
  })

/** Returns the listing after its move; undefined if it stays as it is. A moderator's own suspension stays. */
function withEligibility(listing: Listing, isEligible: boolean, at: Timestamp): Listing | undefined {
  const { status, reasons, version } = listing
  const moved = { ...listing, message: null, note: null, version: version + 1, updatedAt: at }
  if (status === 'PUBLISHED' && !isEligible) {
    return { ...moved, status: 'SUSPENDED', reasons: [OWNER_NOT_VERIFIED] }
  }
  const isAutomatic = status === 'SUSPENDED' && reasons.length === 1 && reasons[0] === OWNER_NOT_VERIFIED
  return isAutomatic && isEligible ? { ...moved, status: 'PUBLISHED', reasons: [] } : undefined
}
