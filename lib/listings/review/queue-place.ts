import type { Timestamp } from '#lib/kernel/clock'
import type { Listing, ListingStatus } from '../listing.ts'

/** The administrators' lists: one for each status, and one for live listings with a pending revision. */
export type QueueList = ListingStatus | 'REVISION'

/** Whether a live listing has a pending revision. */
const hasWaitingRevision = ({ status, revision }: Listing): boolean =>
  revision !== null && (status === 'PUBLISHED' || status === 'SUSPENDED')

/** Since when a listing, or its revision, waits for a moderator; null for a listing that does not wait. */
export function waitingSince(listing: Listing): Timestamp | null {
  if (listing.status === 'PENDING_REVIEW') return listing.submittedAt ?? listing.createdAt
  return hasWaitingRevision(listing) ? (listing.revision?.submittedAt ?? null) : null
}

/** The one list that holds a listing, and the time by which the list is ordered: since when it waits, else its age. */
export const queuePlace = (listing: Listing): { list: QueueList; since: Timestamp } => ({
  list: hasWaitingRevision(listing) ? 'REVISION' : listing.status,
  since: waitingSince(listing) ?? listing.createdAt,
})

/** The place of a listing in its list. Listings with the same time are ordered by id. */
export function positionInQueue(listing: Listing): string {
  return `${queuePlace(listing).since}#${listing.id}`
}

/** The lists that hold the listings of a status. Live listings with a revision are listed with those in review, too. */
export const listsOf = (status: ListingStatus): QueueList[] =>
  ['PENDING_REVIEW', 'PUBLISHED', 'SUSPENDED'].includes(status) ? [status, 'REVISION'] : [status]
