import type { Timestamp } from '#lib/kernel/clock'
import type { PaymentRequestId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { PaymentRequest } from './payment-request.ts'
import type { Series } from './series.ts'

/** The two lists that a payment request stands in: its owner's and its customer's. */
export type RequestRole = 'sent' | 'received'

/** Requests and series of one page of what is due. */
type DueRequests = { requests: PaymentRequest[]; series: Series[]; isMore: boolean }

/** Where payment requests are stored. Reads are consistent; writes are values for `commit`. */
export type RequestStore = {
  get: (id: PaymentRequestId) => Promise<PaymentRequest | undefined>
  /** A user's requests, newest first: one query and one read. A request made within the last second may be missing. */
  ofUser: (
    userId: UserId,
    role: RequestRole,
    span: { limit: number; after: PaymentRequestId | undefined },
  ) => Promise<Page<PaymentRequest, PaymentRequestId>>
  /** OPEN requests and series for which something is to be done by now, the longest due first. */
  due: (now: Timestamp, limit: number) => Promise<DueRequests>
  /** The series that a request began; undefined once it has ended. */
  getSeries: (id: PaymentRequestId) => Promise<Series | undefined>
  /** Stores a request, with the series that it begins. */
  insert: (request: PaymentRequest) => Write[]
  /** Replaces a request; a `WriteConflict` if it has changed since `seen`. */
  replace: (seen: PaymentRequest, next: PaymentRequest) => Write[]
  /** Replaces a series likewise. One without a further request is removed. */
  replaceSeries: (seen: Series, next: Series) => Write[]
  endSeries: (seen: Series) => Write[]
  commit: Commit
}

export type RequestReader = Pick<RequestStore, 'get' | 'ofUser' | 'due' | 'getSeries'>
