import type { DeliveryId, EventId, WebhookId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Delivery, DueDelivery, QueuedDelivery } from './delivery.ts'
import type { Webhook } from './webhook.ts'

/** Stores webhooks. Reads are consistent; writes are values for `commit`. */
export type WebhookStore = {
  get: (id: WebhookId) => Promise<Webhook | undefined>
  /** All webhooks, oldest first: twenty at most. */
  all: () => Promise<Webhook[]>
  /** A new webhook; `webhook_limit_reached` when there are twenty. */
  insert: (webhook: Webhook) => Write[]
  /** Replaces a webhook; a `WriteConflict` if its version is not the seen one. */
  replace: (seen: Webhook, next: Webhook) => Write
  remove: (seen: Webhook) => Write[]
  commit: Commit
}

/** The attempts that wait, that are in the queues, and that were made. */
export type DeliveryStore = {
  get: (webhookId: WebhookId, id: DeliveryId) => Promise<Delivery | undefined>
  /** Newest first; `after` is the last id seen. */
  list: (
    webhookId: WebhookId,
    page: { limit: number; after: DeliveryId | undefined },
  ) => Promise<Page<Delivery, DeliveryId>>
  /** Puts or changes the record of an attempt. */
  record: (delivery: Delivery) => Write
  /** Puts an attempt into the list of its webhook, where it waits for `queueDue`. */
  schedule: (due: DueDelivery) => Write
  /** Takes an attempt off that list; a `WriteConflict` if another function has taken it. */
  unschedule: (seen: DueDelivery) => Write
  /** Attempts in the list that are due by a time, longest due first, `limit` at most. */
  due: (webhookId: WebhookId, until: Date, limit: number) => Promise<DueDelivery[]>
  /** Puts an attempt into a queue, whose function makes it. */
  enqueue: (queued: QueuedDelivery) => Write
  /** Ends an attempt's time in a queue; a `WriteConflict` if it is not there. */
  dequeue: (seen: QueuedDelivery) => Write
  isQueued: (seen: QueuedDelivery) => Promise<boolean>
  /** Counts the attempts of a webhook that were queued since a time, `limit` at most. */
  countQueued: (webhookId: WebhookId, since: Date, limit: number) => Promise<number>
  /** Marks an event as scheduled for a webhook; the condition fails for a marked event. */
  markScheduled: (webhookId: WebhookId, eventId: EventId, at: Date) => Write
  isScheduled: (webhookId: WebhookId, eventId: EventId) => Promise<boolean>
  commit: Commit
}

export type DeliveryReader = Pick<
  DeliveryStore,
  'get' | 'list' | 'due' | 'isQueued' | 'countQueued' | 'isScheduled'
>

export type WebhookReader = Pick<WebhookStore, 'get' | 'all'>
