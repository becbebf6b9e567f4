import * as z from 'zod'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentRequestId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import { closeEndedPage } from '#lib/payments/change/close-page'
import type { Providers } from '#lib/providers/registry'
import { type Ending, type EndRequestDeps, endingOf } from './end-request.ts'
import { getOwnRequest } from './get-request.ts'
import {
  type PaymentRequest,
  processingOf,
  refuseInProgress,
  refuseUnlessOpen,
  requestStatusOf,
} from './payment-request.ts'
import type { RequestStore } from './request-store.ts'
import { type PaymentRequestView, type RequestViewDeps, readRequestView } from './request-view.ts'

/** The body of a cancellation. With `series`, no further requests follow. */
export const Cancellation = z
  .object({
    series: z.boolean().default(false).meta({ description: 'Ends the series as well' }),
  })
  .meta({ example: { series: true } })

type SeriesDeps = { requests: RequestStore }
type Deps = EndRequestDeps &
  SeriesDeps &
  RequestViewDeps & { requests: RequestStore; providers: Pick<Providers, 'find'> }

/**
 * Cancels an OPEN payment request for its owner, and its PENDING payment, whose page is closed. A CANCELLED request stays
 * as it is. With `series`, the series ends, whatever the status of the request. Throws `not_found`, `forbidden` for the
 * customer, `payment_request_in_progress` and `payment_request_not_open`.
 */
export async function cancelRequest(
  deps: Deps,
  userId: UserId,
  id: PaymentRequestId,
  { series }: z.infer<typeof Cancellation>,
): Promise<PaymentRequestView> {
  const { request, cancelledPayment } = await retryConflicts(async () => {
    const seen = await getOwnRequest(deps, userId, id)
    if (seen.ownerId !== userId) throw new DomainError('forbidden')
    const seriesEnd = series ? await seriesEndWrites(deps, seen) : []
    const ending = await endingFor(deps, seen, { mayStay: series && seen.seriesId !== null })
    const writes = [...seriesEnd, ...ending.writes]
    if (writes.length > 0) await deps.requests.commit(writes)
    return ending
  })
  if (cancelledPayment) {
    const provider = await deps.providers.find(cancelledPayment.provider)
    await closeEndedPage(deps, provider, cancelledPayment)
  }
  return readRequestView(deps, request)
}

/**
 * Returns the writes that cancel a request, and none for one that stays as it is. Throws unless the request is OPEN,
 * CANCELLED already, or may stay because its series ends.
 */
async function endingFor(
  deps: Deps,
  seen: PaymentRequest,
  { mayStay }: { mayStay: boolean },
): Promise<Ending> {
  const processing = processingOf(seen)
  const isOpen = requestStatusOf(seen, deps.now()) === 'OPEN' && processing === undefined
  if (isOpen) return endingOf(deps, seen, 'CANCELLED', seen.ownerId)
  if (seen.status !== 'CANCELLED' && !mayStay) {
    // One of the two throws: the request is not open, or a payment of it is processing.
    refuseUnlessOpen(seen, deps.now())
    refuseInProgress(processing)
  }
  return { request: seen, cancelledPayment: undefined, writes: [] }
}

/** Returns the writes that end the series of a request: none where it has ended. */
export async function seriesEndWrites(
  { requests }: SeriesDeps,
  { seriesId }: Pick<PaymentRequest, 'seriesId'>,
): Promise<Write[]> {
  const series = seriesId && (await requests.getSeries(seriesId))
  return series ? requests.endSeries(series) : []
}
