import * as z from 'zod'
import type { ListingLimits } from '#lib/accounts/listing-limits'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingStatus } from './listing.ts'

const count = z.int().min(0)

/** The number of an agent's listings in each status. */
export const ListingCounts = z
  .object({
    DRAFT: count,
    PENDING_REVIEW: count,
    PUBLISHED: count,
    REJECTED: count,
    SUSPENDED: count,
    ARCHIVED: count,
  } satisfies Record<ListingStatus, z.ZodType>)
  .meta({ example: { DRAFT: 2, PENDING_REVIEW: 0, PUBLISHED: 8, REJECTED: 0, SUSPENDED: 0, ARCHIVED: 2 } })
export type ListingCounts = z.infer<typeof ListingCounts>

/** Returns the number of all listings of an agent. */
export const totalOf = (counts: ListingCounts): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0)

/** Throws `draft_limit_reached` or `listing_limit_reached` for an agent who may have no further draft. */
export function refuseAnotherDraft(
  counts: ListingCounts,
  { drafts, listings }: Pick<ListingLimits, 'drafts' | 'listings'>,
): void {
  if (counts.DRAFT >= drafts) {
    throw new DomainError('draft_limit_reached', {
      detail: `An agent may have ${drafts} drafts`,
    })
  }
  if (totalOf(counts) >= listings) {
    throw new DomainError('listing_limit_reached', {
      detail: `An agent may have ${listings} listings, archived ones included`,
    })
  }
}

/** Throws `review_limit_reached` for an agent who may have no further listing in review. */
export function refuseAnotherReview(
  counts: ListingCounts,
  { inReview }: Pick<ListingLimits, 'inReview'>,
): void {
  if (counts.PENDING_REVIEW < inReview) return
  throw new DomainError('review_limit_reached', {
    detail: `An agent may have ${inReview} listings in review`,
  })
}
