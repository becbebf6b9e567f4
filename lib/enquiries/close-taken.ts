import type { EnquiryId, EventId, ListingId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import type { ListingMove } from '#lib/listings/listing-store'
import type { Enquiry } from './enquiry.ts'
import type { EnquiryStore } from './enquiry-store.ts'

type Deps = { enquiries: Pick<EnquiryStore, 'get' | 'ofListing' | 'replace' | 'commit'> }

/** Closes the enquiries about a listing if the move made it TAKEN, see `closeTaken`. */
export async function followMove(
  deps: Deps,
  listingId: ListingId,
  { id, field, to }: Pick<ListingMove, 'id' | 'field' | 'to'>,
): Promise<void> {
  if (field === 'availability' && to === 'TAKEN') await closeTaken(deps, listingId, id)
}

/**
 * Closes the enquiries about a TAKEN listing, except those with an open or paid payment request. Returns the customers
 * of the closed ones. `by` is the event of the listing's move. Safe to repeat, with the same result: if a message has
 * opened an enquiry again since the event closed it, the enquiry stays open.
 */
export async function closeTaken(deps: Deps, listingId: ListingId, by: EventId): Promise<UserId[]> {
  const enquiries = await allPages((after: EnquiryId | undefined) =>
    deps.enquiries.ofListing(listingId, { limit: PAGE_SIZE, after }),
  )
  const isClosed = await inParallel(enquiries, (enquiry) => close(deps, enquiry, by))
  return enquiries.filter((_enquiry, index) => isClosed[index]).map(({ customerId }) => customerId)
}

/** Closes an enquiry. Returns whether the event has closed it, now or at an earlier delivery of the event. */
const close = ({ enquiries }: Deps, found: Enquiry, by: EventId): Promise<boolean> =>
  retryConflicts(async (isRetry) => {
    const enquiry = isRetry ? await enquiries.get(found.id) : found
    if (!enquiry) return false
    if (enquiry.closedBy === by) return true
    const { status, requests } = enquiry
    if (status === 'CLOSED' || requests.open + requests.paid > 0) return false
    const next: Enquiry = { ...enquiry, status: 'CLOSED', closedBy: by, version: enquiry.version + 1 }
    await enquiries.commit(enquiries.replace(enquiry, next))
    return true
  })
