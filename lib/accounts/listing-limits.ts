import * as z from 'zod'

const limit = z.int().min(0).max(10_000)
const sent = limit.nullish().meta({ description: 'The general one where it is left out or null' })
const own = limit.nullable().meta({ description: 'Null: the general one' })

/** The limits of one agent; null stands for the limits of all agents. */
export const OwnListingLimits = z
  .object({ drafts: own, inReview: own, listings: own, files: own })
  .meta({ id: 'ListingLimits' })
export type OwnListingLimits = z.infer<typeof OwnListingLimits>

/** New limits of an agent, in place of all that there were. */
export const SentListingLimits = z
  .object({ drafts: sent, inReview: sent, listings: sent, files: sent })
  .transform(
    ({ drafts = null, inReview = null, listings = null, files = null }): OwnListingLimits => ({
      drafts,
      inReview,
      listings,
      files,
    }),
  )

/** The number of drafts, listings in review, listings in all, and new files an hour that an agent may have. */
export type ListingLimits = { [Name in keyof OwnListingLimits]: number }

/** Returns the limits of an agent: their own, and the general ones where they have none. */
export const limitsOf = (
  agent: { listingLimits: OwnListingLimits | null } | undefined,
  general: ListingLimits,
): ListingLimits => {
  const ownLimits = agent?.listingLimits
  return {
    drafts: ownLimits?.drafts ?? general.drafts,
    inReview: ownLimits?.inReview ?? general.inReview,
    listings: ownLimits?.listings ?? general.listings,
    files: ownLimits?.files ?? general.files,
  }
}
