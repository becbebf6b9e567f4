import type { EnquiryId, ListingId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { isUnchangedSince } from '#lib/listings/listing'
import type { ListingMove, ListingReader } from '#lib/listings/listing-store'
import type { Enquiry } from './enquiry.ts'
import type { EnquiryStore } from './enquiry-store.ts'

/** The move that made a listing TAKEN, by its event's id and time. */
type TakenMove = Pick<ListingMove, 'id' | 'at'>

type Deps = {
  enquiries: EnquiryStore
  listings: ListingReader
}

/** Closes the enquiries about a listing if the move made it TAKEN, see `closeTaken`. */
export async function followMove(
  deps: Deps,
  listingId: ListingId,
  { id, field, to, at }: Pick<ListingMove, 'id' | 'field' | 'to' | 'at'>,
): Promise<void> {
  if (field === 'availability' && to === 'TAKEN') await closeTaken(deps, listingId, { id, at })
}

/**
 * Closes the enquiries about a listing that a move made TAKEN, except those with an open or paid payment request. Returns
 * the customers of the closed ones. Safe to repeat, with the same result: if a message has opened an enquiry again since
 * the move closed it, the enquiry stays open. An enquiry that is dated after the move is closed only if the listing has not
 * changed since.
 */
export async function closeTaken(deps: Deps, listingId: ListingId, move: TakenMove): Promise<UserId[]> {
  const enquiries = await allPages((after: EnquiryId | undefined) =>
    deps.enquiries.ofListing(listingId, { limit: PAGE_SIZE, after }),
  )
  const isClosed = await inParallel(enquiries, (enquiry) => close(deps, enquiry, move))
  return enquiries.filter((_enquiry, index) => isClosed[index]).map(({ customerId }) => customerId)
}

/** Closes an enquiry. Returns whether the move has closed it, now or at an earlier delivery. */
const close = (deps: Deps, found: Enquiry, { id: by, at }: TakenMove): Promise<boolean> =>
  retryConflicts(async (isRetry) => {
    const { enquiries } = deps
    const enquiry = isRetry ? await enquiries.get(found.id) : found
    if (!enquiry) return false
    if (enquiry.closedBy === by) return true
    const { listingId, status, requests, createdAt } = enquiry
    if (status === 'CLOSED' || requests.open + requests.paid > 0) return false
    if (createdAt > at) {
      const listing = await deps.listings.get(listingId)
      // The listing was AVAILABLE again by then, and the move is delivered late.
      if (!listing || !isUnchangedSince(listing, at)) return false
    }
    const next: Enquiry = { ...enquiry, status: 'CLOSED', closedBy: by, version: enquiry.version + 1 }
    await enquiries.commit(enquiries.replace(enquiry, next))
    return true
  })
