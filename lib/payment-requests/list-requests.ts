import * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { PaymentRequestId, type UserId } from '#lib/kernel/id'
import { answerPage, FILTERED_READ_MAX, matchesOf, PageQuery } from '#lib/kernel/page'
import { querySet } from '#lib/kernel/query-list'
import { PaymentRequestStatus, requestStatusOf } from './payment-request.ts'
import type { RequestReader } from './request-store.ts'
import { type RequestViewDeps, viewRequests } from './request-view.ts'

/** Which of the caller's payment requests to list. */
export const RequestQuery = PageQuery.extend({
  role: z
    .enum(['sent', 'received'])
    .optional()
    .meta({ description: '`received` by default; an API key reads `sent` alone' }),
  status: querySet(PaymentRequestStatus),
})

type Deps = RequestViewDeps & { requests: RequestReader; cursors: Cursors }

/** Lists a user's payment requests, newest first. With `status`, a page has at most `limit` matches of the next hundred. */
export function listRequests(
  deps: Deps,
  userId: UserId,
  { limit, cursor, ...filters }: z.infer<typeof RequestQuery> & { role: 'sent' | 'received' },
) {
  const { role, status } = filters
  const list = { list: 'payment-requests', filters: { userId, ...filters }, position: PaymentRequestId }
  return answerPage(deps.cursors, list, cursor, async (after) => {
    const read = { limit: status ? FILTERED_READ_MAX : limit, after }
    const { items, next } = matchesOf(
      await deps.requests.ofUser(userId, role, read),
      limit,
      ({ id }) => id,
      (request) => status === undefined || status.includes(requestStatusOf(request, deps.now())),
    )
    return { items: await viewRequests(deps, items), next }
  })
}
