import type { PaymentRequestId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import type { PaymentRequest } from './payment-request.ts'
import type { RequestReader, RequestRole } from './request-store.ts'

/** Reads every payment request that a person sent or received. */
export async function requestsOf(
  { requests }: { requests: RequestReader },
  userId: UserId,
): Promise<PaymentRequest[]> {
  const all = (role: RequestRole) =>
    allPages((after: PaymentRequestId | undefined) =>
      requests.ofUser(userId, role, { limit: PAGE_SIZE, after }),
    )
  return (await Promise.all([all('sent'), all('received')])).flat()
}
