import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { PaymentRequest } from './payment-request.ts'
import { requestClosed } from './request-events.ts'
import type { RequestStore } from './request-store.ts'

export type CloseDeps = {
  requests: RequestStore
  enquiries: Pick<EnquiryStore, 'countRequests'>
  now: Clock
  newId: NewId
}

/** An OPEN request as it ends unpaid, and the writes of that: the request, the count of its enquiry, and its event. */
export function closed(
  { requests, enquiries, now, newId }: CloseDeps,
  seen: PaymentRequest,
  status: 'CANCELLED' | 'EXPIRED',
): { request: PaymentRequest; writes: Write[] } {
  const request: PaymentRequest = { ...seen, status, version: seen.version + 1 }
  const writes = [
    ...requests.replace(seen, request),
    enquiries.countRequests(seen.enquiryId, { open: -1 }),
    requestClosed({ newId, request, at: timestamp(now()) }, status),
  ]
  return { request, writes }
}
