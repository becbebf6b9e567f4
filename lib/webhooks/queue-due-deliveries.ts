import { type Clock, HOUR_SECONDS, secondsAfter, timestamp } from '#lib/kernel/clock'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import type { DueDelivery } from './delivery.ts'
import { queueOf, type Webhook } from './webhook.ts'
import type { DeliveryStore, WebhookReader } from './webhook-store.ts'

export type QueueDeps = {
  deliveries: DeliveryStore
  now: Clock
}

/**
 * The most attempts of a webhook that this file puts into a queue at once; the others wait in the list. A webhook that hangs
 * would fill the queue, and SQS finds message groups among its first 120,000 messages alone.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/avoid-backlog-with-the-same-message-group-id.html
 */
const MOST_QUEUED = { sending: 200, retrying: 50 } as const

/** An attempt that was queued longer ago is not counted: its message is among the dead letters. */
const COUNTED_SECONDS = HOUR_SECONDS

/** One after the other, since events wait behind all of them in the table's stream. */
const IN_TURN = { width: 1 }

/** Queues the attempts of every webhook that are due. Returns their number. */
export async function queueDueDeliveries(
  deps: QueueDeps & { webhooks: WebhookReader },
): Promise<{ queued: number }> {
  const webhooks = await deps.webhooks.all()
  const counts = await inParallel(webhooks, (webhook) => queueDue(deps, webhook), IN_TURN)
  return { queued: counts.reduce((sum, count) => sum + count, 0) }
}

/** Queues the attempts of a webhook that are due, as many as its queue takes. Returns their number. */
export async function queueDue(deps: QueueDeps, webhook: Webhook): Promise<number> {
  const { deliveries, now } = deps
  const most = MOST_QUEUED[queueOf(webhook)]
  const due = await deliveries.due(webhook.id, now(), most)
  if (due.length === 0) return 0
  const queued = await deliveries.countQueued(webhook.id, secondsAfter(now(), -COUNTED_SECONDS), most)
  const move = (each: DueDelivery) => moveToQueue(deps, webhook, each)
  const moved = await inParallel(due.slice(0, most - queued), move, IN_TURN)
  return moved.filter(Boolean).length
}

/** Moves an attempt from the list to the queue. Returns false if another function has moved it. */
async function moveToQueue(
  { deliveries, now }: QueueDeps,
  webhook: Webhook,
  due: DueDelivery,
): Promise<boolean> {
  try {
    await deliveries.commit([
      deliveries.unschedule(due),
      deliveries.enqueue({ ...due, dueAt: timestamp(now()), queue: queueOf(webhook) }),
    ])
    return true
  } catch (error) {
    if (error instanceof WriteConflict) return false
    throw error
  }
}
