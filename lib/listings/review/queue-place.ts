import type { Timestamp } from '#lib/kernel/clock'
import type { Listing, ListingStatus } from '../listing.ts'

/** The administrators' lists: one for each status, and one for live listings with a pending revision. */
export type QueueList = ListingStatus | 'REVISION'

/**
 * Returns the time from which a listing, or its revision, waits for a moderator; null if it does not wait. Only live
 * listings have a revision. A listing in review has `submittedAt`, though the types do not say so.
 */
export const waitingSince = ({ status, submittedAt, createdAt, revision }: Listing): Timestamp | null =>
  status === 'PENDING_REVIEW' ? (submittedAt ?? createdAt) : (revision?.submittedAt ?? null)

/** Returns the one list that holds a listing, and its time in the list: the start of its wait, or its creation. */
export const queuePlace = (listing: Listing): { list: QueueList; since: Timestamp } => ({
  list: listing.revision === null ? listing.status : 'REVISION',
  since: waitingSince(listing) ?? listing.createdAt,
})

/** Returns the position of a listing in its list. Listings with the same time are sorted by id. */
export function positionInQueue(listing: Listing): string {
  return `${queuePlace(listing).since}#${listing.id}`
}

/**
 * Returns the lists to read for a status. A live listing with a pending revision is in `REVISION` alone, but shown under
 * its own status and under `PENDING_REVIEW`.
 */
export const listsOf = (status: ListingStatus): QueueList[] =>
  ['PENDING_REVIEW', 'PUBLISHED', 'SUSPENDED'].includes(status) ? [status, 'REVISION'] : [status]
