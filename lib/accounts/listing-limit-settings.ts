import { dependency } from '#lib/config/config'
import type { ListingLimits } from './listing-limits.ts'

/** The limits of every agent who has none of their own. */
export const generalListingLimits = dependency(
  ['LISTING_LIMITS'],
  ({ LISTING_LIMITS }): ListingLimits => ({
    drafts: 100,
    inReview: 20,
    listings: 2_000,
    files: 200,
    ...LISTING_LIMITS,
  }),
)
