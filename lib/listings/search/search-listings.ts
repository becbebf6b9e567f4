import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import { ListingId } from '#lib/kernel/id'
import type { CompleteListing, Listing } from '../listing.ts'
import type { ListingStore } from '../listing-store.ts'
import { NearPosition, searchNear } from './near-search.ts'
import type { Neighbour } from './nearest.ts'
import { searchInOrder } from './ordered-search.ts'
import { publicOnes } from './public-ones.ts'
import { entryOf } from './search-entry.ts'
import type { SearchIndex } from './search-index.ts'
import { isAskedFor, type Search } from './search-query.ts'
import { distanceKm } from './sphere.ts'

/** The position at which the next page of a search begins. */
export const SearchPosition = z.union([z.string(), NearPosition])
export type SearchPosition = z.infer<typeof SearchPosition>

/** A listing of a result, with its agent, its distance where the search has an origin, and the position after it. */
export type Found = {
  listing: CompleteListing
  owner: Account | undefined
  km: number | undefined
  position: SearchPosition
}

type Deps = {
  index: Pick<SearchIndex, 'read'>
  listings: Pick<ListingStore, 'getMany'>
  accounts: Pick<AccountStore, 'getMany'>
  now: Clock
}

/** A listing named by an entry. `isStill` tells whether the listing, as it is now, still matches the entry. */
type Candidate = Pick<Found, 'km' | 'position'> & { id: ListingId; isStill: (listing: Listing) => boolean }

/**
 * Reads one page of a search. Entries name candidates; the records of the listings and of their agents, read
 * consistently with the page, decide. A candidate that is no longer public, or no longer has the values of its entry,
 * is left out, and the page is shorter. Makes at most 34 queries for at most 500 entries, one read of listings and
 * one read of agents.
 */
export async function searchListings(
  deps: Deps,
  search: Search | undefined,
  page: { limit: number; after: SearchPosition | undefined },
): Promise<{ items: Found[]; next: SearchPosition | undefined }> {
  if (!search) return { items: [], next: undefined }
  const { candidates, next } = await candidatesOf(deps.index, search, page)
  return { items: await stillPublic(deps, candidates), next }
}

async function candidatesOf(
  index: Pick<SearchIndex, 'read'>,
  search: Search,
  { limit, after }: { limit: number; after: SearchPosition | undefined },
): Promise<{ candidates: Candidate[]; next: SearchPosition | undefined }> {
  if (search.by === 'order') {
    const position = typeof after === 'string' ? after : undefined
    const { found, next } = await searchInOrder(index, search, { limit, after: position })
    const candidates = found.map(({ entry, order }) => ({
      id: entry.listingId,
      km: undefined,
      position: order,
      isStill: (listing: Listing) => listing.indexedAs === entry.by && isStillAskedFor(listing, search),
    }))
    return { candidates, next }
  }
  const position = typeof after === 'string' ? undefined : after
  const { found, next } = await searchNear(index, search, { limit, after: position })
  const answered = position?.answered ?? 0
  const candidates = found.map(({ id, km }, place) => ({
    id: ListingId.parse(id),
    km,
    position: positionAt({ id, km }, answered + place + 1, next?.perKm2 ?? position?.perKm2),
    isStill: (listing: Listing) => liesAt(listing, search, km),
  }))
  return { candidates, next }
}

/** The position after the `answered`-th neighbour. `perKm2` is measured, or estimated from the distance so far. */
const positionAt = (
  { id, km }: Neighbour,
  answered: number,
  perKm2 = answered / (Math.PI * Math.max(km, 0.01) ** 2),
): NearPosition => ({ last: [km, id], answered, perKm2 })

/** Whether the listing, as it is now, matches the filters. */
function isStillAskedFor(listing: Listing, { filters }: Search): boolean {
  const entry = entryOf(listing)
  return entry !== undefined && isAskedFor(entry, filters)
}

/** Whether the listing, as it is now, matches the filters at the distance at which it was found. */
function liesAt(listing: Listing, search: Extract<Search, { by: 'distance' }>, km: number): boolean {
  const entry = entryOf(listing)
  if (!entry || entry.lat === null || entry.lng === null) return false
  const lies = distanceKm(search.origin, { lat: entry.lat, lng: entry.lng })
  return lies === km && isAskedFor(entry, search.filters)
}

async function stillPublic(deps: Deps, candidates: readonly Candidate[]): Promise<Found[]> {
  const shown = await publicOnes(
    deps,
    candidates.map(({ id }) => id),
  )
  return candidates.flatMap(({ id, km, position, isStill }) => {
    const found = shown.get(id)
    return found && isStill(found.listing) ? [{ ...found, km, position }] : []
  })
}
