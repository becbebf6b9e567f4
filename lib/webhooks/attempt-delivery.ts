import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { idMaker } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import {
  backoffSeconds,
  type DueDelivery,
  FAILING_MAX_SECONDS,
  isAccepted,
  type QueuedDelivery,
  recordOf,
  unsentDelivery,
} from './delivery.ts'
import type { PostWebhook, WebhookAnswer } from './post-webhook.ts'
import { type QueueDeps, queueDue } from './queue-due-deliveries.ts'
import { bodyOf, signedHeaders } from './sign-message.ts'
import { liveSecrets, queueOf, type Webhook } from './webhook.ts'
import type { DeliveryStore, WebhookStore } from './webhook-store.ts'

/** `chance` returns a random number from 0 to 1. */
export type AttemptDeps = QueueDeps & {
  webhooks: WebhookStore
  deliveries: DeliveryStore
  post: PostWebhook
  chance: () => number
}

/**
 * Makes an attempt that a queue handed out, and schedules the next one if it failed. A webhook that has failed for five
 * days is switched off. An attempt for a DISABLED webhook is recorded as not sent. If the webhook has failed since the attempt
 * was queued, the attempt waits in its list instead.
 */
export async function attemptDelivery(deps: AttemptDeps, queued: QueuedDelivery): Promise<void> {
  const { webhooks, deliveries, now } = deps
  const [webhook, isQueued] = await Promise.all([webhooks.get(queued.webhookId), deliveries.isQueued(queued)])
  // The queue may hand out a message twice.
  if (!isQueued) return
  const instead = (...writes: Write[]) => deliveries.commit([deliveries.dequeue(queued), ...writes])
  if (!webhook) return instead()
  if (isOff(webhook, queued)) return instead(deliveries.record(unsentDelivery(queued, timestamp(now()))))
  if (queued.queue === 'sending' && queueOf(webhook) === 'retrying')
    return instead(deliveries.schedule(queued))
  const body = bodyOf(queued.message)
  const headers = signedHeaders(queued.message.id, body, liveSecrets(webhook, now()), now())
  const answer = await deps.post({ url: webhook.url, headers, body })
  const recovered = await storeOutcome(deps, queued, answer)
  if (recovered) await queueDue(deps, recovered)
}

/** Whether an attempt is not made: the webhook is DISABLED, or was switched on again after the delivery was scheduled. */
const isOff = ({ status, activeSince }: Webhook, { byHand, orderedAt }: DueDelivery): boolean =>
  !byHand && (status === 'DISABLED' || orderedAt < activeSince)

/**
 * Records an attempt, the webhook's health after it, and the time of the next attempt. Returns the webhook if it accepted a
 * message after failing.
 */
const storeOutcome = (
  { webhooks, deliveries, now, chance }: AttemptDeps,
  made: QueuedDelivery,
  answer: WebhookAnswer,
): Promise<Webhook | undefined> =>
  retryConflicts(async () => {
    const webhook = await webhooks.get(made.webhookId)
    const at = timestamp(now())
    const failed = !isAccepted(answer.status)
    const next = webhook && webhookAfter(webhook, { failed }, now())
    const isChanged = webhook && next && next !== webhook
    const pauseSeconds = failed && !made.byHand ? backoffSeconds(made.attempt, chance()) : undefined
    const isRetried = pauseSeconds !== undefined && next?.status === 'ACTIVE'
    await deliveries.commit([
      deliveries.dequeue(made),
      deliveries.record(recordOf(made, at, answer)),
      ...(isChanged ? [webhooks.replace(webhook, next)] : []),
      ...(isRetried ? [laterAttempt(deliveries, made, secondsAfter(now(), pauseSeconds))] : []),
    ])
    return isChanged && !failed ? next : undefined
  })

/** Returns the write of the next attempt. The second one waits in the queue for retries, whose delay is its backoff. */
function laterAttempt(deliveries: DeliveryStore, made: QueuedDelivery, dueAt: Date): Write {
  const next = nextAttempt(made, dueAt)
  return made.attempt === 1 ? deliveries.enqueue({ ...next, queue: 'retrying' }) : deliveries.schedule(next)
}

/**
 * Returns the webhook after an attempt, or the same object if nothing changes. A webhook that is switched off stays
 * off.
 */
function webhookAfter(webhook: Webhook, { failed }: { failed: boolean }, now: Date): Webhook {
  if (webhook.status === 'DISABLED') return webhook
  const version = webhook.version + 1
  if (!failed) return webhook.failingSince === null ? webhook : { ...webhook, failingSince: null, version }
  const { failingSince } = webhook
  if (failingSince === null) return { ...webhook, failingSince: timestamp(now), version }
  const hasFailedForLong = failingSince <= timestamp(secondsAfter(now, -FAILING_MAX_SECONDS))
  if (!hasFailedForLong) return webhook
  return { ...webhook, status: 'DISABLED', disabledReason: 'failing_for_five_days', version }
}

const nextAttempt = (made: DueDelivery, dueAt: Date): DueDelivery => ({
  ...made,
  // Attempts are listed by their ids, which begin with a time: here the time of the attempt.
  id: idMaker(() => dueAt)('delivery'),
  attempt: made.attempt + 1,
  dueAt: timestamp(dueAt),
})
