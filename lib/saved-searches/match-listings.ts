import type { AccountReader } from '#lib/accounts/account-store'
import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import { nextMorning } from '#lib/kernel/morning'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import type { CompleteListing, Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { filtersOf, type SearchFilters } from '#lib/listings/search/filters'
import { type Matcher, openMatcher } from '#lib/listings/search/matcher'
import { publicOnes } from '#lib/listings/search/public-ones'
import type { AlertedSearch, ChangedListing, MatchStore } from './saved-search.ts'
import { SavedFilters } from './saved-search-view.ts'

/** The number of changed listings that are compared with the searches at once. */
const BATCH = 500
const PAGE_SIZE = 1000

export type MatchDeps = {
  matches: MatchStore
  listings: ListingReader
  accounts: AccountReader
  now: Clock
}

/**
 * Compares the listings that became public or changed with the alerted searches of their countries, and stores the new
 * matches. The work grows with the number of these listings times that of the searches of their countries.
 */
export async function matchListings(deps: MatchDeps): Promise<{ compared: number; matched: number }> {
  let compared = 0
  let matched = 0
  for (;;) {
    const changed = await deps.matches.changed(BATCH)
    if (changed.length === 0) return { compared, matched }
    matched += await matchBatch(deps, changed)
    compared += changed.length
    await deps.matches.dropChanged(changed)
  }
}

async function matchBatch(deps: MatchDeps, changed: readonly ChangedListing[]): Promise<number> {
  const shown = await publicOnes(
    deps,
    changed.map(({ listingId }) => listingId),
  )
  if (shown.size === 0) return 0
  const listings = new Map([...shown].map(([id, { listing }]) => [id, listing]))
  const changedPublic = changed.filter(({ listingId }) => listings.has(listingId))
  const comparison = openComparison([...listings.values()], changedPublic)
  try {
    const countries = new Set([...listings.values()].map(({ location }) => location.country))
    let matched = 0
    // Null stands for the searches without a country.
    for (const country of [...countries, null]) {
      matched += await matchCountry(deps, country, comparison, listings)
    }
    return matched
  } finally {
    comparison.close()
  }
}

async function matchCountry(
  deps: MatchDeps,
  country: string | null,
  comparison: Comparison,
  listings: ReadonlyMap<ListingId, CompleteListing>,
): Promise<number> {
  let matched = 0
  for (let after: string | undefined; ; ) {
    const { items, next } = await deps.matches.alerted(country, { limit: PAGE_SIZE, after })
    const found = items.flatMap((search) => {
      const ids = comparison.begunToFit(search)
      const ofOthers = ids.filter((id) => listings.get(id)?.agentId !== search.userId)
      return ofOthers.map((listingId) => ({ search, listingId }))
    })
    const stored = await inParallel(found, ({ search, listingId }) => store(deps, search, listingId))
    matched += stored.filter(Boolean).length
    if (next === undefined) return matched
    after = next
  }
}

/** Stores a match, unless the search found the listing before. */
async function store(
  { matches, now }: MatchDeps,
  { id: searchId, userId, alert }: AlertedSearch,
  listingId: ListingId,
): Promise<boolean> {
  const at = timestamp(now())
  const dueAt: Timestamp = alert === 'daily' ? nextMorning(now()) : at
  try {
    // Only the match is conditional: a due alert of the same time is replaced.
    await matches.commit(matches.add({ searchId, listingId, at }, { userId, searchId, at: dueAt }))
    return true
  } catch (error) {
    if (error instanceof WriteConflict) return false
    throw error
  }
}

/** Returns the filters of a saved search; undefined if this version of the service does not know them. */
export function filtersOfSearch({ filters }: Pick<AlertedSearch, 'filters'>): SearchFilters | undefined {
  const { data } = SavedFilters.safeParse(filters)
  return data && filtersOf(data)
}

type Comparison = {
  /** Returns the listings that a search finds now, and did not find before one of their changes since its `since`. */
  begunToFit: (search: AlertedSearch) => ListingId[]
  close: () => void
}

/** Opens a comparison of listings as they are with what they were before each of their changes. */
function openComparison(listings: readonly Listing[], changed: readonly ChangedListing[]): Comparison {
  const current = openMatcher(listings)
  const rounds = roundsOf(changed).map((round) => ({
    changed: round,
    before: openMatcher(round.flatMap(({ before }) => before ?? [])),
  }))
  return {
    begunToFit: (search) => {
      const filters = filtersOfSearch(search)
      const fitting = filters ? current.fitting(filters) : []
      if (!filters || fitting.length === 0) return []
      const begun = new Set(rounds.flatMap((round) => begunIn(round, search, filters)))
      return fitting.filter((id) => begun.has(id))
    },
    close: () => {
      current.close()
      for (const { before } of rounds) before.close()
    },
  }
}

function begunIn(
  { changed, before }: { changed: readonly ChangedListing[]; before: Matcher },
  { since }: AlertedSearch,
  filters: SearchFilters,
): ListingId[] {
  const recent = changed.filter(({ at }) => at >= since)
  if (recent.length === 0) return []
  const fitted = new Set(before.fitting(filters))
  return recent.map(({ listingId }) => listingId).filter((id) => !fitted.has(id))
}

/** Returns the changes in rounds. A round has at most one change of a listing, since a matcher holds a listing once. */
function roundsOf(changed: readonly ChangedListing[]): ChangedListing[][] {
  const byListing = [...Map.groupBy(changed, ({ listingId }) => listingId).values()]
  const most = Math.max(0, ...byListing.map(({ length }) => length))
  return Array.from({ length: most }, (_, round) => byListing.flatMap((changes) => changes[round] ?? []))
}
