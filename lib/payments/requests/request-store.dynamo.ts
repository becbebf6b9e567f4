import { queryShards, recordsInOrder } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { PaymentRequestId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import {
  paymentRequestIndexes,
  paymentRequestKey,
  receivedRequestsQuery,
  requestDueKey,
  requestDuePartition,
  sentRequestsQuery,
} from './payment-request.keys.ts'
import { PaymentRequest } from './payment-request.ts'
import type { RequestStore } from './request-store.ts'

/** Payment requests in the one table. */
export const openRequests = (table: Table): RequestStore => ({
  get: async (id) => {
    const item = await table.get(paymentRequestKey(id))
    return item && PaymentRequest.parse(item)
  },
  ofUser: async (userId, role, { limit, after }) => {
    const query = role === 'sent' ? sentRequestsQuery(userId) : receivedRequestsQuery(userId)
    const { items, last } = await table.query({ ...query, limit, descending: true, after })
    const ids = items.map((item) => PaymentRequestId.parse(item[`${query.index}sk`]))
    const requests = await recordsInOrder(table, ids, paymentRequestKey, PaymentRequest)
    return { items: requests, next: last === undefined ? undefined : ids.at(-1) }
  },
  due: async (now, limit) => {
    const { items } = await queryShards(table, requestDuePartition(), { limit, after: undefined })
    const due = items.filter(({ sk }) => String(sk).slice(0, now.length) <= now)
    const ids = due.map(({ requestId }) => PaymentRequestId.parse(requestId))
    return recordsInOrder(table, ids, paymentRequestKey, PaymentRequest)
  },
  insert: (request) => [{ put: itemOf(request), when: 'absent' }, ...relist(undefined, request)],
  replace: (seen, next) => [
    { put: itemOf(next), when: { equals: { version: seen.version } } },
    ...relist(seen, next),
  ],
  commit: table.commit,
})

const itemOf = (request: PaymentRequest) => ({
  ...paymentRequestKey(request.id),
  ...paymentRequestIndexes(request.ownerId, request.customerId, request.id),
  kind: 'payment-request',
  ...request,
})

/** When an OPEN request is due; one with a payment under way waits for the payment's end. */
const dueOf = (request: PaymentRequest | undefined) =>
  request?.status === 'OPEN' && request.underway === null ? request.dueAt : null

/** Moves a request in the list of due ones. */
function relist(seen: PaymentRequest | undefined, next: PaymentRequest): Write[] {
  const [before, after] = [dueOf(seen), dueOf(next)]
  if (before === after) return []
  return [
    ...(before ? [{ remove: requestDueKey(before, next.id) }] : []),
    ...(after
      ? [{ put: { ...requestDueKey(after, next.id), kind: 'payment-request-due', requestId: next.id } }]
      : []),
  ]
}

/** The function's payment request store. */
export const requestStore = onTable(openRequests)
