import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { CompleteListing } from '../listing.ts'
import type { ListingReader } from '../listing-store.ts'
import { publicLocation } from '../location.ts'
import { prepareSearch } from './conditions.ts'
import type { SearchFilters } from './filters.ts'
import { publicOnes } from './public-ones.ts'
import { countTotal, type FoundRow, readPage, type SearchPosition } from './read-page.ts'
import type { Replica } from './replica.ts'
import type { SearchOrder } from './search-query.ts'
import { fingerprintOf, storedRowOf } from './search-row.ts'
import { distanceKm } from './sphere.ts'

/** A listing of a result, with its agent, its distance if the search has an origin, and its position in the result. */
export type Found = {
  listing: CompleteListing
  owner: Account | undefined
  km: number | null
  position: SearchPosition
}

type Deps = {
  replica: Replica
  listings: ListingReader
  accounts: AccountReader
  now: Clock
}

/**
 * Reads one page of a search. The replica's copy of the public listings finds them; then their records and those of
 * their agents are read. A listing that is no longer public, or whose public values have changed, is left out.
 */
export async function searchListings(
  deps: Deps,
  { filters, order }: { filters: SearchFilters; order: SearchOrder },
  { limit, after }: { limit: number; after: SearchPosition | undefined },
): Promise<{ items: Found[]; next: SearchPosition | undefined; total: number }> {
  const copy = await deps.replica.upToDate()
  const search = prepareSearch(copy, filters, timestamp(deps.now()))
  const total = countTotal(copy, search)
  const rows = readPage(copy, search, { order, limit: limit + 1, after, total })
  const page = rows.slice(0, limit)
  const next = rows.length > limit ? page.at(-1)?.position : undefined
  return { items: await stillFound(deps, page, filters), next, total }
}

async function stillFound(deps: Deps, page: readonly FoundRow[], { near }: SearchFilters): Promise<Found[]> {
  const shown = await publicOnes(
    deps,
    page.map(({ id }) => id),
  )
  return page.flatMap(({ id, version, fingerprint, position }) => {
    const found = shown.get(id)
    if (!found) return []
    const { listing, owner } = found
    const isSame = listing.version === version || hasRow(listing, fingerprint)
    return isSame ? [{ listing, owner, km: kmFrom(near?.origin, listing), position }] : []
  })
}

/** Whether the public values of a listing are still those of the row with this fingerprint. */
function hasRow(listing: CompleteListing, fingerprint: string): boolean {
  const row = storedRowOf(listing)
  return row !== null && fingerprintOf(row) === fingerprint
}

/** Returns the distance to the point that customers see of a listing; null without an origin or coordinates. */
function kmFrom(
  origin: NonNullable<SearchFilters['near']>['origin'] | undefined,
  { location }: CompleteListing,
): number | null {
  const { lat, lng } = publicLocation(location)
  return origin && lat !== null && lng !== null ? distanceKm(origin, { lat, lng }) : null
}
