import { shardedKey } from '#lib/dynamo/lists'
import type { Timestamp } from '#lib/kernel/clock'
import type { PaymentRequestId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The record of a payment request. */
export const paymentRequestKey = (id: PaymentRequestId): Key => ({
  pk: `PAYMENT-REQUEST#${id}`,
  sk: 'PAYMENT-REQUEST',
})

/** The place of a request in its owner's list, and in its customer's. */
export const paymentRequestIndexes = (ownerId: UserId, customerId: UserId, id: PaymentRequestId) => ({
  gsi1pk: sentRequestsQuery(ownerId).partition,
  gsi1sk: id,
  gsi2pk: receivedRequestsQuery(customerId).partition,
  gsi2sk: id,
})

/** All payment requests that an owner sent. */
export const sentRequestsQuery = (ownerId: UserId) => ({
  partition: `OWNER#${ownerId}#PAYMENT-REQUESTS`,
  index: 'gsi1' as const,
})

/** All payment requests that a customer received. */
export const receivedRequestsQuery = (customerId: UserId) => ({
  partition: `CUSTOMER#${customerId}#PAYMENT-REQUESTS`,
  index: 'gsi2' as const,
})

/** The beginning of the partitions that list OPEN requests and series by when the job has to do something. */
export const requestDuePartition = (): string => 'PAYMENT-REQUESTS-DUE'

/** The series that a request begins. */
export const seriesKey = (id: PaymentRequestId): Key => ({ pk: `PAYMENT-SERIES#${id}`, sk: 'PAYMENT-SERIES' })

/** The place of a series among what is due, by when its next repetition is made. A series has the id of its first request. */
export const seriesDueKey = (makeAt: Timestamp, id: PaymentRequestId): Key =>
  shardedKey(requestDuePartition(), `${makeAt}#${id}#SERIES`)

/** The place of an OPEN request among what is due. */
export const requestDueKey = (dueAt: Timestamp, id: PaymentRequestId): Key =>
  shardedKey(requestDuePartition(), `${dueAt}#${id}`)
