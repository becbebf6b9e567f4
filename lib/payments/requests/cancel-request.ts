import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentRequestId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { type CloseDeps, closed } from './close-request.ts'
import { getOwnRequest } from './get-request.ts'
import { refuseUnlessOpen } from './payment-request.ts'
import { type PaymentRequestView, type RequestViewDeps, readRequestView } from './request-view.ts'

/**
 * Cancels an OPEN payment request, as its owner; a CANCELLED one stays as it is. Throws `not_found`, `forbidden` for the
 * customer, `payment_request_in_progress` and `payment_request_not_open`.
 */
export const cancelRequest = (
  deps: CloseDeps & RequestViewDeps,
  userId: UserId,
  id: PaymentRequestId,
): Promise<PaymentRequestView> =>
  retryConflicts(async () => {
    const seen = await getOwnRequest(deps, userId, id)
    if (seen.ownerId !== userId) throw new DomainError('forbidden')
    if (seen.status === 'CANCELLED') return readRequestView(deps, seen)
    refuseUnlessOpen(seen, deps.now())
    const { request, writes } = closed(deps, seen, 'CANCELLED')
    await deps.requests.commit(writes)
    return readRequestView(deps, request)
  })
