import { shardedKey } from '#lib/dynamo/lists'
import { type CallbackId, fingerprintOf, type PaymentId, type RefundId, type UserId } from '#lib/kernel/id'
import { bareNumber } from '#lib/kernel/query-text'
import type { Key } from '#lib/kernel/write'

/** A payment with everything known of it. */
export const paymentKey = (id: PaymentId): Key => ({ pk: `PAYMENT#${id}`, sk: 'PAYMENT' })

/** One move of a payment, by the version it led to. */
export const moveKey = (id: PaymentId, version: number): Key => ({
  pk: `PAYMENT#${id}`,
  sk: `MOVE#${String(version).padStart(8, '0')}`,
})

/** A user's payments; ids sort by age. */
export const userPaymentsEntry = (userId: UserId, id: PaymentId) => ({
  gsi1pk: `USER#${userId}#PAYMENTS`,
  gsi1sk: id,
})

/**
 * The beginning of the partitions of a list of payments: by status, provider, listing or agent, `ATTENTION` for
 * payments that need someone, or `ALL`.
 */
export const paymentListPartition = (list: string): string => `PAYMENTS#${list}`

/** A payment's place in one of those lists. */
export const paymentListKey = (list: string, id: PaymentId): Key => shardedKey(paymentListPartition(list), id)

/** The beginning of the partitions of the due payments, sorted by time. */
export const paymentDuePartition = (): string => 'PAYMENTS-DUE'

/** A payment that is due at a moment. */
export const paymentDueKey = (dueAt: string, id: PaymentId): Key =>
  shardedKey(paymentDuePartition(), `${dueAt}#${id}`)

/** The beginning of the partitions of the payments that have changed since their last audit. */
export const auditPartition = (): string => 'PAYMENTS-TO-AUDIT'

/** A payment that has changed since its last audit. */
export const auditKey = (id: PaymentId): Key => shardedKey(auditPartition(), id)

/** The number of a user's PENDING payments. */
export const openPaymentsKey = (userId: UserId): Key => ({ pk: `PAYER#${userId}`, sk: 'OPEN-PAYMENTS' })

/** All payments of a user. */
export const userPaymentsQuery = (userId: UserId) => ({
  partition: `USER#${userId}#PAYMENTS`,
  index: 'gsi1' as const,
})

/** A callback, by the hash in its id, which is made of the event's id. */
export const callbackKey = (id: CallbackId): Key => ({
  pk: `CALLBACK#${fingerprintOf(id)}`,
  sk: 'CALLBACK',
})

/** The index entry of a payment's callback; callbacks sort by age. */
export const paymentCallbacksEntry = (paymentId: PaymentId, id: CallbackId) => ({
  gsi1pk: `PAYMENT#${paymentId}#CALLBACKS`,
  gsi1sk: id,
})

/** All callbacks of a payment. */
export const paymentCallbacksQuery = (paymentId: PaymentId) => ({
  partition: `PAYMENT#${paymentId}#CALLBACKS`,
  index: 'gsi1' as const,
})

/** The beginning of the partitions of a list of callbacks: of a status, of a provider, or `ATTENTION`. */
export const callbackListPartition = (list: string): string => `CALLBACKS#${list}`

/** A callback's place in one of those lists. */
export const callbackListKey = (list: string, id: CallbackId): Key =>
  shardedKey(callbackListPartition(list), id)

const referencePartition = (provider: string, reference: string) => `REFERENCE#${provider}#${reference}`

/** The record that names the payment of a provider's id. */
export const referenceKey = (provider: string, reference: string): Key => ({
  pk: referencePartition(provider, reference),
  sk: 'PAYMENT',
})

/** The index entry of a provider's id: it names payments, and callbacks that wait for one. */
export const referencedIndex = (reference: string, id: PaymentId | CallbackId) => ({
  gsi2pk: referencedQuery(reference).partition,
  gsi2sk: id,
})

/** All payments and callbacks with a provider's id, whichever the provider. `bareNumber` spells the id as searches do. */
export const referencedQuery = (reference: string) => ({
  partition: `REFERENCED#${bareNumber(reference)}`,
  index: 'gsi2' as const,
})

/** The record that names the payment of a refund. */
export const refundKey = (id: RefundId): Key => ({ pk: `REFUND#${id}`, sk: 'PAYMENT' })

/** The entry of a callback that waits for a payment by this reference. */
export const waitingKey = (provider: string, reference: string, id: CallbackId): Key => ({
  pk: referencePartition(provider, reference),
  sk: `WAITING#${fingerprintOf(id)}`,
})

/** All callbacks that wait for a payment by this reference. */
export const waitingQuery = (provider: string, reference: string) => ({
  partition: referencePartition(provider, reference),
  beginsWith: 'WAITING#',
})
