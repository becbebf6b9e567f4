import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentRequestId, UserId } from '#lib/kernel/id'
import type { PaymentRequest } from './payment-request.ts'
import type { RequestReader } from './request-store.ts'
import { type PaymentRequestView, type RequestViewDeps, readRequestView } from './request-view.ts'

/** Reads a payment request for one of its sides. Throws `not_found` for everyone else. */
export async function getOwnRequest(
  { requests }: { requests: RequestReader },
  userId: UserId,
  id: PaymentRequestId,
): Promise<PaymentRequest> {
  const request = await requests.get(id)
  if (request?.ownerId !== userId && request?.customerId !== userId) throw new DomainError('not_found')
  return request
}

export const getRequest = async (
  deps: RequestViewDeps & { requests: RequestReader },
  userId: UserId,
  id: PaymentRequestId,
): Promise<PaymentRequestView> => readRequestView(deps, await getOwnRequest(deps, userId, id))
