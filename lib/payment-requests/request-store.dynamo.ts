import { queryShards, readSortKey, recordsInOrder } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { PaymentRequestId } from '#lib/kernel/id'
import type { Key, Write } from '#lib/kernel/write'
import {
  paymentRequestIndexes,
  paymentRequestKey,
  receivedRequestsQuery,
  requestDueKey,
  requestDuePartition,
  sentRequestsQuery,
  seriesDueKey,
  seriesKey,
} from './payment-request.keys.ts'
import { PaymentRequest, processingOf } from './payment-request.ts'
import { nextTimeOf } from './reminders.ts'
import type { RequestReader, RequestStore } from './request-store.ts'
import { nextMakingOf, Series, seriesOf } from './series.ts'

/** Payment requests in the one table. */
export const openRequests = (table: Table): RequestStore => ({
  get: async (id) => {
    const item = await table.get(paymentRequestKey(id))
    return item && PaymentRequest.parse(item)
  },
  ofUser: async (userId, role, { limit, after }) => {
    const query = role === 'sent' ? sentRequestsQuery(userId) : receivedRequestsQuery(userId)
    const { items, last } = await table.query({ ...query, limit, descending: true, after })
    // The sort keys of both indexes are ids of requests.
    const ids = items.map((item) => PaymentRequestId.parse(item[`${query.index}sk`]))
    const requests = await recordsInOrder(table, ids, paymentRequestKey, PaymentRequest)
    return { items: requests, next: last === undefined ? undefined : ids.at(-1) }
  },
  // A series has the id of its first request, so its due entries hold it as `requestId`, too.
  due: async (now, limit) => {
    const { items } = await queryShards(table, requestDuePartition(), { limit, after: undefined })
    const due = items.filter(({ sk }) => readSortKey(sk).at <= now)
    const idsOf = (kind: string) =>
      due.filter((item) => item['kind'] === kind).map(({ requestId }) => PaymentRequestId.parse(requestId))
    const [requests, series] = await Promise.all([
      recordsInOrder(table, idsOf(REQUEST_DUE), paymentRequestKey, PaymentRequest),
      recordsInOrder(table, idsOf(SERIES_DUE), seriesKey, Series),
    ])
    return { requests, series, isMore: due.length === limit }
  },
  getSeries: async (id) => {
    const item = await table.get(seriesKey(id))
    return item && Series.parse(item)
  },
  insert: (request) => {
    const writes: Write[] = [
      table.put(itemOf(request), { when: 'absent' }),
      ...relist(table, undefined, request),
    ]
    const series = seriesOf(request)
    if (!series || !nextMakingOf(series)) return writes
    return [
      ...writes,
      table.put(seriesItemOf(series), { when: 'absent' }),
      ...relistSeries(table, undefined, series),
    ]
  },
  // A series without a next request is removed.
  replaceSeries: (seen, next) => [
    nextMakingOf(next)
      ? table.put(seriesItemOf(next), { when: isStill(seen) })
      : table.remove(seriesKey(seen.id), { when: isStill(seen) }),
    ...relistSeries(table, seen, next),
  ],
  endSeries: (seen) => [
    table.remove(seriesKey(seen.id), { when: isStill(seen) }),
    ...relistSeries(table, seen, undefined),
  ],
  replace: (seen, next) => [table.put(itemOf(next), { when: isStill(seen) }), ...relist(table, seen, next)],
  commit: table.commit,
})

const itemOf = (request: PaymentRequest) => ({
  ...paymentRequestKey(request.id),
  ...paymentRequestIndexes(request.ownerId, request.customerId, request.id),
  kind: 'payment-request',
  ...request,
})

const seriesItemOf = (series: Series) => ({ ...seriesKey(series.id), kind: 'payment-series', ...series })

const isStill = ({ version }: { version: number }) => ({ equals: { version } })

const REQUEST_DUE = 'payment-request-due'
const SERIES_DUE = 'payment-series-due'

/** Returns the key of an OPEN request's due entry. A request with a PROCESSING payment has none until that payment ends. */
const dueKeyOf = (request: PaymentRequest | undefined): Key | undefined =>
  request?.status === 'OPEN' && processingOf(request) === undefined
    ? requestDueKey(nextTimeOf(request), request.id)
    : undefined

const relist = (table: Table, seen: PaymentRequest | undefined, next: PaymentRequest): Write[] =>
  moveEntry(table, dueKeyOf(seen), dueKeyOf(next), { kind: REQUEST_DUE, requestId: next.id })

function dueKeyOfSeries(series: Series | undefined): Key | undefined {
  const makeAt = series && nextMakingOf(series)
  return makeAt && seriesDueKey(makeAt, series.id)
}

function relistSeries(table: Table, seen: Series | undefined, next: Series | undefined): Write[] {
  const requestId = next?.id ?? seen?.id
  return moveEntry(table, dueKeyOfSeries(seen), dueKeyOfSeries(next), { kind: SERIES_DUE, requestId })
}

/** Moves an entry from one place to another; the same place stays. */
function moveEntry(
  table: Table,
  from: Key | undefined,
  to: Key | undefined,
  entry: Record<string, unknown>,
): Write[] {
  if (from?.sk === to?.sk) return []
  return [...(from ? [table.remove(from)] : []), ...(to ? [table.put({ ...to, ...entry })] : [])]
}

/** The payment request store, as a dependency of functions. */
export const requests = onTable(openRequests, {
  reads: ['PAYMENT-REQUEST', 'PAYMENT-REQUESTS-DUE', 'PAYMENT-SERIES', 'gsi1:OWNER', 'gsi2:CUSTOMER'],
  writes: ['PAYMENT-REQUEST', 'PAYMENT-REQUESTS-DUE', 'PAYMENT-SERIES'],
})

export const requestReader = onTable((table): RequestReader => openRequests(table), {
  reads: ['PAYMENT-REQUEST', 'PAYMENT-REQUESTS-DUE', 'PAYMENT-SERIES', 'gsi1:OWNER', 'gsi2:CUSTOMER'],
})
