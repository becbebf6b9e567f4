import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { PaymentRequest } from './payment-request.ts'
import { requestClosed } from './request-events.ts'
import type { RequestStore } from './request-store.ts'

/** The ways in which an OPEN request ends unpaid. */
export type Closed = 'CANCELLED' | 'EXPIRED'

type CloseDeps = {
  requests: RequestStore
  enquiries: EnquiryStore
  now: Clock
  newId: NewId
}

/**
 * Returns an OPEN request as it ends unpaid, and the writes of the request, its enquiry's count and its event. `edited` is
 * the request with the present state of its payments.
 */
export function closeRequest(
  { requests, enquiries, now, newId }: CloseDeps,
  seen: PaymentRequest,
  edited: PaymentRequest,
  status: Closed,
): { request: PaymentRequest; writes: Write[] } {
  const request: PaymentRequest = { ...edited, status, version: seen.version + 1 }
  const writes = [
    ...requests.replace(seen, request),
    enquiries.countRequests(seen.enquiryId, { open: -1 }),
    requestClosed({ newId, request, at: timestamp(now()) }, status),
  ]
  return { request, writes }
}
