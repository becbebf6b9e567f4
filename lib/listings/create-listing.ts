import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { type ListingLimits, limitsOf } from '#lib/accounts/listing-limits'
import { rereadByRegistration } from '#lib/accounts/reread-caller'
import { timestamp } from '#lib/kernel/clock'
import type { Once } from '#lib/kernel/once'
import { retryConflicts } from '#lib/kernel/retry'
import type { Versioned } from '#lib/kernel/version'
import type { MediaLinks } from '#lib/media/store/media-links'
import { completeFields, type ListingDraft } from './fields.ts'
import type { Listing } from './listing.ts'
import { refuseAnotherDraft } from './listing-counts.ts'
import type { ListingStore } from './listing-store.ts'
import type { ListingDeps } from './moves/move-listing.ts'
import { refuseTakenReference } from './reference.ts'
import type { ListingView } from './views/listing-view.ts'
import { versionedView } from './views/view-listing.ts'

type Deps = Omit<ListingDeps, 'accounts' | 'listings'> & {
  listings: ListingStore
  accounts: AccountReader
  limits: ListingLimits
  links: MediaLinks
  once: Once<Versioned<ListingView>>
}

/**
 * Makes a draft that only its agent and administrators see, and returns the agent's view. Throws `reference_taken`,
 * `draft_limit_reached` and `listing_limit_reached`, for simultaneous drafts, too.
 */
export async function createListing(
  { listings, accounts, limits, links, once, now, newId }: Deps,
  agent: Account,
  draft: ListingDraft,
): Promise<Versioned<ListingView>> {
  const at = timestamp(now())
  const listing: Listing = {
    ...completeFields(draft),
    id: newId('listing'),
    agentId: agent.id,
    reference: draft.reference ?? null,
    status: 'DRAFT',
    availability: 'AVAILABLE',
    media: [],
    reasons: [],
    message: null,
    note: null,
    revision: null,
    priceHistory: [],
    version: 1,
    submittedAt: null,
    publishedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  const answer = await versionedView(listing, agent, 'owner', links)
  const allowed = limitsOf(agent, limits)
  const countLimits = { DRAFT: allowed.drafts, total: allowed.listings }
  return retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByRegistration({ accounts }, agent) : agent
    // The write itself checks the reference and the limits. After a conflict these reads find which one was the reason.
    if (isRetry) {
      await refuseTakenReference(listings, listing)
      refuseAnotherDraft(await listings.counts(agent.id), allowed)
    }
    await listings.commit([
      ...once.receipt(answer),
      ...listings.insert(listing),
      listings.countMove(agent.id, { from: undefined, to: 'DRAFT' }, countLimits),
      accounts.requireUnchanged(account),
    ])
    return answer
  })
}
