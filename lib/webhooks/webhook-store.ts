import type { DeliveryId, EventId, WebhookId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Delivery, DueDelivery } from './delivery.ts'
import type { Webhook } from './webhook.ts'

/** Where webhooks are stored. Reads are consistent; writes are values for `commit`. */
export type WebhookStore = {
  get: (id: WebhookId) => Promise<Webhook | undefined>
  /** All there are, oldest first: twenty at most. */
  all: () => Promise<Webhook[]>
  /** A new webhook; `webhook_limit_reached` when there are twenty. */
  insert: (webhook: Webhook) => Write[]
  /** The next version of a webhook, if it is still as it was seen. */
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
  /** Puts an attempt into the list of its webhook. */
  schedule: (due: DueDelivery) => Write
  /** Marks an event as scheduled for a webhook; the condition fails for a marked event. */
  markScheduled: (webhookId: WebhookId, eventId: EventId, at: Date) => Write
  isScheduled: (webhookId: WebhookId, eventId: EventId) => Promise<boolean>
  /** Moves an attempt to a later place, if its place is still as seen. */
  move: (seen: DueDelivery, next: DueDelivery) => Write[]
  /** Takes an attempt out of the list, if its place is still as seen. */
  settle: (seen: DueDelivery) => Write
  /** Attempts due to a webhook by a moment, in their order, `limit` at most. */
  due: (webhookId: WebhookId, until: Date, limit: number) => Promise<DueDelivery[]>
  commit: Commit
}
