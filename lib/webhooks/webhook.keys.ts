import type { Timestamp } from '#lib/kernel/clock'
import type { DeliveryId, EventId, WebhookId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The one partition of all webhooks: there are twenty at most, and every event reads all of them. */
export const webhooksPartition = 'WEBHOOKS#ALL'

/** A webhook. */
export const webhookKey = (id: WebhookId): Key => ({ pk: webhooksPartition, sk: id })

/** The number of webhooks. */
export const webhookCountKey: Key = { pk: 'WEBHOOKS#COUNT', sk: 'COUNT' }

/** An attempt to reach a webhook. */
export const deliveryKey = (webhookId: WebhookId, id: DeliveryId): Key => ({
  pk: deliveriesPartition(webhookId),
  sk: id,
})

/** A webhook's attempts, oldest first. */
export const deliveriesPartition = (webhookId: WebhookId): string => `DELIVERIES#${webhookId}`

/** Marks that an event has been scheduled for a webhook, however often the stream repeats it. */
export const scheduledKey = (webhookId: WebhookId, eventId: EventId): Key => ({
  pk: `WEBHOOK-EVENT#${eventId}`,
  sk: webhookId,
})

/** An attempt that waits for its time, or for its webhook to accept one, in a list of its webhook. */
export const dueDeliveryKey = (webhookId: WebhookId, dueAt: Timestamp, id: DeliveryId): Key => ({
  pk: dueDeliveriesPartition(webhookId),
  sk: `${dueAt}#${id}`,
})

/** The waiting attempts of a webhook, the longest due first. */
export const dueDeliveriesPartition = (webhookId: WebhookId): string => `DELIVERIES-DUE#${webhookId}`

/** An attempt in a queue. */
export const queuedDeliveryKey = (webhookId: WebhookId, dueAt: Timestamp, id: DeliveryId): Key => ({
  pk: queuedDeliveriesPartition(webhookId),
  sk: `${dueAt}#${id}`,
})

/** The attempts of a webhook in the queues, the longest queued first. */
export const queuedDeliveriesPartition = (webhookId: WebhookId): string => `DELIVERIES-QUEUED#${webhookId}`
