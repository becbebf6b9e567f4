import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { DeliveryId, NewId, WebhookId } from '#lib/kernel/id'
import type { Once } from '#lib/kernel/once'
import type { Write } from '#lib/kernel/write'
import { type Delivery, type QueuedDelivery, recordOf, type WebhookMessage } from './delivery.ts'
import { getWebhook } from './manage-webhooks.ts'
import { queueOf, type Webhook } from './webhook.ts'
import type { DeliveryReader, DeliveryStore, WebhookReader } from './webhook-store.ts'

type Deps = {
  webhooks: WebhookReader
  deliveries: DeliveryStore
  now: Clock
  newId: NewId
}

/** Sends a webhook a `ping`: a message with an id of its own, without an event in the outbox. Throws `not_found`. */
export async function sendPing(deps: Deps & { once: Once<undefined> }, webhookId: WebhookId): Promise<void> {
  const webhook = await getWebhook(deps, webhookId)
  const at = timestamp(deps.now())
  const message = { id: deps.newId('event'), type: 'ping', subject: null, at, data: {} }
  await enqueue(deps, webhook, { message, attempt: 1 }, () => deps.once.receipt(undefined))
}

/** Sends the message of an earlier attempt again, and returns the new attempt. Throws `not_found`. */
export async function redeliver(
  deps: Deps & {
    deliveries: DeliveryReader
    once: Once<{ delivery: Delivery }>
  },
  webhookId: WebhookId,
  id: DeliveryId,
) {
  const webhook = await getWebhook(deps, webhookId)
  const earlier = await deps.deliveries.get(webhookId, id)
  if (!earlier) throw new DomainError('not_found')
  const { message, attempt } = earlier
  const receiptOf = (delivery: Delivery) => deps.once.receipt({ delivery })
  return { delivery: await enqueue(deps, webhook, { message, attempt: attempt + 1 }, receiptOf) }
}

/** Queues an attempt. It is made to a DISABLED webhook, too, and not retried. */
async function enqueue(
  { deliveries, now, newId }: Deps,
  webhook: Webhook,
  { message, attempt }: { message: WebhookMessage; attempt: number },
  receiptOf: (delivery: Delivery) => Write[],
) {
  const at = timestamp(now())
  const queued: QueuedDelivery = {
    id: newId('delivery'),
    webhookId: webhook.id,
    message,
    attempt,
    orderedAt: at,
    dueAt: at,
    byHand: true,
    queue: queueOf(webhook),
  }
  // The record of an attempt without an outcome shows that it is under way.
  const underWay = recordOf(queued, at)
  await deliveries.commit([deliveries.enqueue(queued), deliveries.record(underWay), ...receiptOf(underWay)])
  return underWay
}
