import type { EnquiryId, EventId, ListingId } from '#lib/kernel/id'
import { allPages } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import type { Enquiry } from './enquiry.ts'
import type { EnquiryStore } from './enquiry-store.ts'

const PAGE_SIZE = 100
const WIDTH = 10

type Deps = { enquiries: EnquiryStore }

/**
 * Closes the enquiries about a listing that was TAKEN, except those with an open or paid payment request. `by` is the
 * event of that. Safe to repeat: an enquiry that the event closed, and that a message opened again, stays open.
 */
export async function closeTaken(deps: Deps, listingId: ListingId, by: EventId): Promise<void> {
  const asked = await allPages((after: EnquiryId | undefined) =>
    deps.enquiries.ofListing(listingId, { limit: PAGE_SIZE, after }),
  )
  await inParallel(asked, WIDTH, (enquiry) => close(deps, enquiry, by))
}

const close = ({ enquiries }: Deps, found: Enquiry, closedBy: EventId): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const enquiry = isRetry ? await enquiries.get(found.id) : found
    if (!enquiry || !isToClose(enquiry, closedBy)) return
    const next: Enquiry = { ...enquiry, status: 'CLOSED', closedBy, version: enquiry.version + 1 }
    await enquiries.commit(enquiries.replace(enquiry, next))
  })

const isToClose = ({ status, requests, closedBy }: Enquiry, by: EventId): boolean =>
  status !== 'CLOSED' && requests.open + requests.paid === 0 && closedBy !== by
