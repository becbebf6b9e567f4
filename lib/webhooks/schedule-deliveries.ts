import type { DomainEvent } from '#lib/events/event'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { derivedId } from '#lib/kernel/id'
import { WriteConflict } from '#lib/kernel/write'
import { type DueDelivery, unsentDelivery } from './delivery.ts'
import { queueOf, type Webhook } from './webhook.ts'
import type { DeliveryStore, WebhookReader } from './webhook-store.ts'

type Deps = {
  webhooks: WebhookReader
  deliveries: DeliveryStore
  now: Clock
}

/**
 * Schedules an event's first attempt for every webhook of its type, once for each even if the event is delivered again.
 * The attempt is queued, or waits in the list of a webhook whose last attempt failed. For a DISABLED webhook it is
 * recorded as not sent, so that an administrator can send it by hand.
 */
export async function scheduleDeliveries(deps: Deps, event: DomainEvent): Promise<void> {
  const wanting = (await deps.webhooks.all()).filter(({ types }) => types.includes(event.type))
  await Promise.all(wanting.map((webhook) => scheduleFor(deps, webhook, event)))
}

async function scheduleFor({ deliveries, now }: Deps, webhook: Webhook, event: DomainEvent): Promise<void> {
  const at = timestamp(now())
  const due: DueDelivery = {
    // The id has the event's time, and is the same when the event is delivered again.
    id: derivedId('delivery', event.id, [webhook.id, event.id]),
    webhookId: webhook.id,
    message: event,
    attempt: 1,
    orderedAt: at,
    dueAt: at,
    byHand: false,
  }
  const queue = queueOf(webhook)
  const place = () => (queue === 'sending' ? deliveries.enqueue({ ...due, queue }) : deliveries.schedule(due))
  const isActive = webhook.status === 'ACTIVE'
  try {
    await deliveries.commit([
      deliveries.markScheduled(webhook.id, event.id, now()),
      isActive ? place() : deliveries.record(unsentDelivery(due, at)),
    ])
  } catch (error) {
    const isScheduled = error instanceof WriteConflict && (await deliveries.isScheduled(webhook.id, event.id))
    if (!isScheduled) throw error
  }
}
