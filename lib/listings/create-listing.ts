import type { Account } from '#lib/accounts/account'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { Once } from '#lib/kernel/once'
import type { Versioned } from '#lib/kernel/version'
import type { MediaLinks } from '#lib/media/store/media-links'
import { completeFields, type ListingDraft } from './fields.ts'
import type { Listing } from './listing.ts'
import type { ListingView } from './listing-view.ts'
import type { ListingDeps } from './move-listing.ts'
import { versionedView } from './view-listing.ts'

const DRAFTS_MAX = 100

type Deps = ListingDeps & { links: MediaLinks; once: Once<Versioned<ListingView>> }

/**
 * Makes a draft that only its agent and administrators see, and answers it as its agent does.
 * Throws `draft_limit_reached` for an agent with a hundred drafts, counted under concurrency.
 */
export async function createListing(
  { listings, accounts, links, once, now, newId }: Deps,
  agent: Account,
  draft: ListingDraft,
): Promise<Versioned<ListingView>> {
  const at = timestamp(now())
  const listing: Listing = {
    ...completeFields(draft),
    id: newId('listing'),
    agentId: agent.id,
    status: 'DRAFT',
    media: [],
    reasons: [],
    message: null,
    note: null,
    revision: null,
    indexedAs: null,
    version: 1,
    submittedAt: null,
    publishedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  const limitReached = () =>
    new DomainError('draft_limit_reached', { detail: `An agent may have ${DRAFTS_MAX} drafts` })
  const answer = await versionedView(listing, agent, 'owner', links)
  await listings.commit([
    ...once.receipt(answer),
    listings.insert(listing),
    accounts.countDrafts(agent.id, 1, { below: DRAFTS_MAX, otherwise: limitReached }),
  ])
  return answer
}
