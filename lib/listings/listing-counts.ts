import * as z from 'zod'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingStatus } from './listing.ts'

const count = z.int().min(0)

/** How many listings an agent has in each status. */
export const ListingCounts = z.object({
  DRAFT: count,
  PENDING_REVIEW: count,
  PUBLISHED: count,
  REJECTED: count,
  SUSPENDED: count,
  ARCHIVED: count,
} satisfies Record<ListingStatus, z.ZodType>)
export type ListingCounts = z.infer<typeof ListingCounts>

/** How many listings an agent has in all. */
export const totalOf = (counts: ListingCounts): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0)

/** How many drafts, listings in review, and listings in all an agent may have. */
export const LISTING_LIMITS = { drafts: 100, inReview: 20, all: 2000 } as const

/** Throws `draft_limit_reached` or `listing_limit_reached` for an agent who may have no further draft. */
export function refuseAnotherDraft(counts: ListingCounts): void {
  if (counts.DRAFT >= LISTING_LIMITS.drafts) {
    throw new DomainError('draft_limit_reached', {
      detail: `An agent may have ${LISTING_LIMITS.drafts} drafts`,
    })
  }
  if (totalOf(counts) >= LISTING_LIMITS.all) {
    throw new DomainError('listing_limit_reached', {
      detail: `An agent may have ${LISTING_LIMITS.all} listings, archived ones included`,
    })
  }
}

/** Throws `review_limit_reached` for an agent who may have no further listing in review. */
export function refuseAnotherReview(counts: ListingCounts): void {
  if (counts.PENDING_REVIEW < LISTING_LIMITS.inReview) return
  throw new DomainError('review_limit_reached', {
    detail: `An agent may have ${LISTING_LIMITS.inReview} listings in review`,
  })
}
