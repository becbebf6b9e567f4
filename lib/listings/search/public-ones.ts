import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import { type CompleteListing, isComplete } from '../listing.ts'
import type { ListingReader } from '../listing-store.ts'
import { isPublic } from '../read-listing.ts'

type Deps = {
  listings: ListingReader
  accounts: AccountReader
  now: Clock
}

type Shown = { listing: CompleteListing; owner: Account }

/** Returns the listings of these ids that are public now, by id: one read of listings and one of their owners. */
export async function publicOnes(
  { listings, accounts, now }: Deps,
  ids: readonly ListingId[],
): Promise<Map<ListingId, Shown>> {
  const found = await listings.getMany([...new Set(ids)])
  const owners = await accounts.getMany([...new Set(found.map(({ agentId }) => agentId))])
  const ownerById = new Map(owners.map((owner) => [owner.id, owner]))
  return new Map(
    found.filter(isComplete).flatMap((listing) => {
      const owner = ownerById.get(listing.agentId)
      return owner && isPublic(listing, owner, now) ? [[listing.id, { listing, owner }] as const] : []
    }),
  )
}
