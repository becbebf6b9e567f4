import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId } from '#lib/kernel/id'
import type { Listing } from './listing.ts'
import type { ListingStore } from './listing-store.ts'
import { isPublic } from './view-listing.ts'
import { type Caller, type Viewer, viewerOf } from './viewer.ts'

type Deps = { listings: Pick<ListingStore, 'get'>; accounts: Pick<AccountStore, 'get'>; now: Clock }

/**
 * A listing for whoever may see it: a published one of an agent in good standing is everyone's, any other its
 * owner's and the administrators'. To everyone else it does not exist: `not_found`.
 */
export async function getListing({ listings, accounts, now }: Deps, caller: Caller, id: ListingId) {
  const listing = await listings.get(id)
  if (!listing) throw new DomainError('not_found')
  const viewer = viewerOf(listing, caller)
  const owner = await accounts.get(listing.agentId)
  if (viewer === 'customer' && !isPublic(listing, owner, now)) throw new DomainError('not_found')
  return { listing, owner, viewer }
}

/**
 * A listing that the caller is about to change. Another's is `not_found`, unless everyone may see it: then
 * `forbidden`.
 */
export async function getOwnListing(deps: Deps, caller: NonNullable<Caller>, id: ListingId): Promise<Owned> {
  const { listing, owner, viewer } = await getListing(deps, caller, id)
  if (viewer === 'customer') throw new DomainError('forbidden')
  return { listing, owner, viewer }
}

type Owned = { listing: Listing; owner: Account | undefined; viewer: Exclude<Viewer, 'customer'> }
