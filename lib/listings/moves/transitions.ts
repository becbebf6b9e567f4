import { DomainError } from '#lib/kernel/domain-error'
import type { ListingStatus } from '../listing.ts'

/** The statuses that a listing may move to, by its present status. */
const TRANSITIONS: Record<ListingStatus, readonly ListingStatus[]> = {
  DRAFT: ['PENDING_REVIEW', 'ARCHIVED'],
  PENDING_REVIEW: ['DRAFT', 'PUBLISHED', 'REJECTED', 'ARCHIVED'],
  PUBLISHED: ['SUSPENDED', 'ARCHIVED'],
  REJECTED: ['PENDING_REVIEW', 'ARCHIVED'],
  SUSPENDED: ['PUBLISHED', 'REJECTED', 'ARCHIVED'],
  ARCHIVED: [],
}

/** Throws `listing_transition_not_allowed`, with `from`, `to` and `allowed`, unless the move is allowed. */
export function requireAllowedMove(from: ListingStatus, to: ListingStatus): void {
  const allowed = TRANSITIONS[from]
  if (allowed.includes(to)) return
  throw new DomainError('listing_transition_not_allowed', {
    detail: `${from} cannot become ${to}`,
    extensions: { from, to, allowed },
  })
}
