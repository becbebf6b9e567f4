import type { Timestamp } from '#lib/kernel/clock'
import type { Listing, ListingStatus } from './listing.ts'

/** The administrators' lists: by status, but what is live with a revision waiting is in a list of its own. */
export type QueueList = ListingStatus | 'REVISION'

/** Whether changes to a live listing wait for a moderator. */
const hasWaitingRevision = ({ status, revision }: Listing): boolean =>
  revision !== null && (status === 'PUBLISHED' || status === 'SUSPENDED')

/** Since when a listing, or its revision, waits for a moderator; null when it does not. */
export function waitingSince(listing: Listing): Timestamp | null {
  if (listing.status === 'PENDING_REVIEW') return listing.submittedAt ?? listing.createdAt
  return hasWaitingRevision(listing) ? (listing.revision?.submittedAt ?? null) : null
}

/** The one list a listing is in, and by what it is ordered there: how long it waits, else its age. */
export const queuePlace = (listing: Listing): { list: QueueList; since: Timestamp } => ({
  list: hasWaitingRevision(listing) ? 'REVISION' : listing.status,
  since: waitingSince(listing) ?? listing.createdAt,
})

/** Where a listing stands in its list; what waits as long goes by id. */
export function orderInQueue(listing: Listing): string {
  return `${queuePlace(listing).since}#${listing.id}`
}

/** Which lists hold the listings of a status, as the queue asks for it: those in review, and revisions with them. */
export const listsOf = (status: ListingStatus): QueueList[] =>
  ['PENDING_REVIEW', 'PUBLISHED', 'SUSPENDED'].includes(status) ? [status, 'REVISION'] : [status]
