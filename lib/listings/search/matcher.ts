import { NEVER, type Timestamp, timestamp } from '#lib/kernel/clock'
import { ListingId } from '#lib/kernel/id'
import type { Listing } from '../listing.ts'
import { sourceOf } from './conditions.ts'
import { openCopy } from './copy.ts'
import type { SearchFilters } from './filters.ts'
import { wholeChangeOf } from './search-row.ts'

/** Some listings in a copy of their own, to be compared with many searches. */
export type Matcher = {
  /** Returns those of the listings that fit a search. Whether their agents are eligible does not count. */
  fitting: (filters: SearchFilters) => ListingId[]
  close: () => void
}

/** Opens a matcher of listings. Listings that customers may not see fit no search. */
export function openMatcher(listings: readonly Listing[]): Matcher {
  const copy = openCopy()
  // The copy stores this time with a listing that has no row; no search here reads it.
  const appliedAt = 0
  // In this copy every agent is eligible for ever.
  copy.apply(
    [...new Set(listings.map(({ agentId }) => agentId))].map((subject) => ({
      subject,
      version: 0,
      until: NEVER,
    })),
    appliedAt,
  )
  copy.apply(listings.map(wholeChangeOf), appliedAt)
  return {
    fitting: (filters) => {
      const { text, values } = sourceOf({ filters, now: BEFORE_ALL })
      return copy.all(`SELECT id ${text}`, values).map(({ id }) => ListingId.parse(id))
    },
    close: copy.close,
  }
}

/** The time of the search, at which every agent of the copy is eligible. */
const BEFORE_ALL: Timestamp = timestamp(new Date(0))
