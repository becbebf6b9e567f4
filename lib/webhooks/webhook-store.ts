import type { DeliveryId, EventId, WebhookId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Delivery, DueDelivery } from './delivery.ts'
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

/** The lists of due and of made attempts. */
export type DeliveryStore = {
  get: (webhookId: WebhookId, id: DeliveryId) => Promise<Delivery | undefined>
  /** Newest first; `after` is the last id seen. */
  list: (
    webhookId: WebhookId,
    page: { limit: number; after: DeliveryId | undefined },
  ) => Promise<Page<Delivery, DeliveryId>>
  /** Puts or changes the record of an attempt. */
  record: (delivery: Delivery) => Write
  /** Puts an attempt into the list of its webhook's due attempts. */
  schedule: (due: DueDelivery) => Write
  /** Marks an event as scheduled for a webhook; the condition fails for a marked event. */
  markScheduled: (webhookId: WebhookId, eventId: EventId, at: Date) => Write
  isScheduled: (webhookId: WebhookId, eventId: EventId) => Promise<boolean>
  /** Moves an attempt to a later due time; a `WriteConflict` if another function has moved it. */
  move: (seen: DueDelivery, next: DueDelivery) => Write[]
  /** Takes an attempt off the list of due ones; a `WriteConflict` if another function has moved it. */
  removeDue: (seen: DueDelivery) => Write
  /** Attempts of a webhook that are due by a time, longest due first, `limit` at most. */
  due: (webhookId: WebhookId, until: Date, limit: number) => Promise<DueDelivery[]>
  commit: Commit
}
