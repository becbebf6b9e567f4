import { NEVER, type Timestamp, timestamp } from '#lib/kernel/clock'
import { ListingId } from '#lib/kernel/id'
import type { Listing } from '../listing.ts'
import { sourceOf } from './conditions.ts'
import { openCopy } from './copy.ts'
import type { SearchFilters } from './filters.ts'
import { storedRowOf } from './search-row.ts'

/** Some listings in a copy of their own, to be compared with many searches. */
export type Matcher = {
  /** Returns those of the listings that a search would find, were their agents eligible. */
  fitting: (filters: SearchFilters) => ListingId[]
  close: () => void
}

/** Opens a matcher of listings. Listings that customers may not see fit no search. */
export function openMatcher(listings: readonly Listing[]): Matcher {
  const copy = openCopy()
  const appliedAt = 0
  copy.apply(
    [...new Set(listings.map(({ agentId }) => agentId))].map((subject) => ({
      subject,
      version: 0,
      until: NEVER,
    })),
    appliedAt,
  )
  copy.apply(
    listings.map((listing) => ({ subject: listing.id, version: listing.version, row: storedRowOf(listing) })),
    appliedAt,
  )
  return {
    fitting: (filters) => {
      const { text, values } = sourceOf({ filters, now: BEFORE_ALL })
      return copy.all(`SELECT id ${text}`, values).map(({ id }) => ListingId.parse(id))
    },
    close: copy.close,
  }
}

/** A time before the end of every eligibility. */
const BEFORE_ALL: Timestamp = timestamp(new Date(0))
