import type { ListingLimits } from '#lib/accounts/listing-limits'

/** What every agent may have unless the operator says otherwise. */
export const LIMITS: ListingLimits = { drafts: 100, inReview: 20, listings: 2_000, files: 200 }
