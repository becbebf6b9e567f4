import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { DeliveryId, NewId, WebhookId } from '#lib/kernel/id'
import { type DueDelivery, recordOf, type WebhookMessage } from './delivery.ts'
import { getWebhook } from './manage-webhooks.ts'
import type { DeliveryStore, WebhookStore } from './webhook-store.ts'

type Deps = {
  webhooks: Pick<WebhookStore, 'get'>
  deliveries: Pick<DeliveryStore, 'record' | 'schedule' | 'commit'>
  now: Clock
  newId: NewId
}

/** Sends a webhook a `ping`: a message with an id of its own, without an event in the outbox. Throws `not_found`. */
export async function sendPing(deps: Deps, webhookId: WebhookId): Promise<void> {
  await getWebhook(deps, webhookId)
  const at = timestamp(deps.now())
  const message = { id: deps.newId('event'), type: 'ping', subject: null, at, data: {} }
  await schedule(deps, webhookId, { message, attempt: 1 })
}

/** Sends the message of an earlier attempt again, and returns the new attempt. Throws `not_found`. */
export async function redeliver(
  deps: Deps & { deliveries: Pick<DeliveryStore, 'get'> },
  webhookId: WebhookId,
  id: DeliveryId,
) {
  await getWebhook(deps, webhookId)
  const earlier = await deps.deliveries.get(webhookId, id)
  if (!earlier) throw new DomainError('not_found')
  const { message, attempt } = earlier
  return { delivery: await schedule(deps, webhookId, { message, attempt: attempt + 1 }) }
}

/** Stores an attempt that is due at once. It is made to a DISABLED webhook, too, and not retried. */
async function schedule(
  { deliveries, now, newId }: Deps,
  webhookId: WebhookId,
  { message, attempt }: { message: WebhookMessage; attempt: number },
) {
  const at = timestamp(now())
  const due: DueDelivery = {
    id: newId('delivery'),
    webhookId,
    message,
    attempt,
    orderedAt: at,
    dueAt: at,
    byHand: true,
  }
  // The record of an attempt without an outcome shows that it is under way.
  const scheduled = recordOf(due, at)
  await deliveries.commit([deliveries.schedule(due), deliveries.record(scheduled)])
  return scheduled
}
