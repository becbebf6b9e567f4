import type { Account } from '#lib/accounts/account'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { Write } from '#lib/kernel/write'
import { completeFields, type Listing, type ListingDraft } from './listing.ts'
import type { ListingDeps } from './move-listing.ts'

const DRAFTS_MAX = 100

/**
 * Makes a draft that only its agent and administrators see. `also` joins writes to the same transaction.
 * Throws `draft_limit_reached` for an agent with a hundred drafts, counted under concurrency.
 */
export async function createListing(
  { listings, accounts, now, newId }: ListingDeps,
  agent: Account,
  draft: ListingDraft,
  also: (listing: Listing) => Promise<Write[]>,
): Promise<Listing> {
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
  await listings.commit([
    ...(await also(listing)),
    listings.insert(listing),
    accounts.countDrafts(agent.id, 1, { below: DRAFTS_MAX, otherwise: limitReached }),
  ])
  return listing
}
