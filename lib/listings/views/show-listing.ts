import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId } from '#lib/kernel/id'
import type { Versioned } from '#lib/kernel/version'
import type { MediaLinks } from '#lib/media/store/media-links'
import { isComplete } from '../listing.ts'
import type { ListingReader } from '../listing-store.ts'
import { versionIn } from '../listing-version.ts'
import { isHidden, readListing } from '../read-listing.ts'
import type { ListingCaller } from '../viewer.ts'
import type { ListingView, PaidForListing, PublishedListing } from './listing-view.ts'
import { versionedView, viewAgent, viewPublished } from './view-listing.ts'

type Deps = { listings: ListingReader; accounts: AccountReader; now: Clock }

/** Tells whether a user has paid for a listing. */
type Payers = { hasPaid: (payer: Account, id: ListingId) => Promise<boolean> }

/**
 * Returns the caller's view of a listing. A person who paid for it sees title, agent and status while it is not public.
 * Throws `not_found` for a caller who may not see it.
 */
export async function showListing(
  deps: Deps & { links: MediaLinks; payers: Payers },
  caller: ListingCaller,
  id: ListingId,
): Promise<Versioned<ListingView | PublishedListing | PaidForListing>> {
  const read = await readListing(deps, caller, id)
  const { listing, owner, viewer } = read
  if (viewer !== 'customer') return versionedView(listing, owner, viewer, deps.links)
  if (isComplete(listing) && !isHidden(deps, read)) {
    return { view: viewPublished(listing, owner, deps.links), ...versionIn('public', listing) }
  }
  const payer = caller?.kind === 'user' ? await deps.accounts.get(caller.userId) : undefined
  if (!payer || !(await deps.payers.hasPaid(payer, id))) throw new DomainError('not_found')
  const { status, title } = listing
  return {
    view: { view: 'payer', id, status, title, agent: owner ? viewAgent(listing, owner) : null },
    ...versionIn('payer', listing),
  }
}
