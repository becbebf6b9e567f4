import type { NotificationId, PaymentId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'
import { fingerprintOf } from './notification.ts'

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

/** All payments of a user. */
export const userPaymentsQuery = (userId: UserId) => ({
  partition: `USER#${userId}#PAYMENTS`,
  index: 'gsi1' as const,
})

/** A notification, at the place that its event's id makes. */
export const notificationKey = (id: NotificationId): Key => ({
  pk: `NOTIFICATION#${fingerprintOf(id)}`,
  sk: 'NOTIFICATION',
})

const referencePartition = (provider: string, reference: string) => `REFERENCE#${provider}#${reference}`

/** Which payment an id of a provider's names. */
export const referenceKey = (provider: string, reference: string): Key => ({
  pk: referencePartition(provider, reference),
  sk: 'PAYMENT',
})

/** Word that a notification waits for a payment by this reference. */
export const waitingKey = (provider: string, reference: string, id: NotificationId): Key => ({
  pk: referencePartition(provider, reference),
  sk: `WAITING#${fingerprintOf(id)}`,
})

/** All that waits for a payment by this reference. */
export const waitingQuery = (provider: string, reference: string) => ({
  partition: referencePartition(provider, reference),
  beginsWith: 'WAITING#',
})
