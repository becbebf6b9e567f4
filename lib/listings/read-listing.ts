import { type Account, isEligibleToPublish } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { beginAhead } from '#lib/kernel/begin-ahead'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId, UserId } from '#lib/kernel/id'
import { isOnline, type Listing } from './listing.ts'
import type { ListingReader } from './listing-store.ts'
import { type ListingCaller, type Viewer, viewerOf } from './viewer.ts'

/** Whether customers may see a listing now: it is published and available, and its owner may publish. */
export const isPublic = (listing: Listing, owner: Account | undefined, now: Clock): boolean =>
  isOnline(listing) && owner !== undefined && isEligibleToPublish(owner, now())

type Deps = { listings: ListingReader; accounts: AccountReader; now: Clock }

/** A listing, its owner, and the caller's relation to it: anyone but owner and administrators is a `customer`. */
type Read = { listing: Listing; owner: Account | undefined; viewer: Viewer }

/**
 * Returns a listing to a caller who may see it: its owner and administrators always, everyone else while it is public.
 * Throws `not_found` for any other caller.
 */
export async function getListing(deps: Deps, caller: ListingCaller, id: ListingId): Promise<Read> {
  const read = await readListing(deps, caller, id)
  if (isHidden(deps, read)) throw new DomainError('not_found')
  return read
}

/** Reads a listing and its owner; both at once if the likely owner's id is known before. */
export async function readListing(
  { listings, accounts }: Deps,
  caller: ListingCaller,
  id: ListingId,
  likelyOwner?: UserId,
): Promise<Read> {
  const likely = likelyOwner && beginAhead(accounts.get(likelyOwner))
  const listing = await listings.get(id)
  if (!listing) throw new DomainError('not_found')
  const owner = await (listing.agentId === likelyOwner ? likely : accounts.get(listing.agentId))
  return { listing, owner, viewer: viewerOf(listing, caller) }
}

/** Whether a listing is not for its caller to see. */
export const isHidden = ({ now }: Pick<Deps, 'now'>, { listing, owner, viewer }: Read): boolean =>
  viewer === 'customer' && !isPublic(listing, owner, now)

/**
 * Returns a listing that its owner or an administrator is about to change. Throws `forbidden` for any other caller who may
 * see it, and `not_found` for one who may not.
 */
export async function getOwnListing(
  deps: Deps,
  caller: NonNullable<ListingCaller>,
  id: ListingId,
): Promise<Owned> {
  const likelyOwner = caller.kind === 'user' ? caller.userId : undefined
  const read = await readListing(deps, caller, id, likelyOwner)
  if (isHidden(deps, read)) throw new DomainError('not_found')
  const { listing, owner, viewer } = read
  if (viewer === 'customer') throw new DomainError('forbidden')
  return { listing, owner, viewer }
}

type Owned = Read & { viewer: Exclude<Viewer, 'customer'> }
