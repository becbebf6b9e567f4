import { type Clock, secondsAfter, timestamp } from '#lib/kernel/clock'
import { idMaker } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { WriteConflict } from '#lib/kernel/write'
import {
  backoffSeconds,
  type DueDelivery,
  FAILING_MAX_SECONDS,
  isAccepted,
  recordOf,
  unsentDelivery,
} from './delivery.ts'
import type { PostWebhook, WebhookAnswer } from './post-webhook.ts'
import { bodyOf, signedHeaders } from './sign-message.ts'
import { liveSecrets, type Webhook } from './webhook.ts'
import type { DeliveryStore, WebhookStore } from './webhook-store.ts'

/** A function holds an attempt for longer than an attempt takes. If it dies, another makes the attempt afterwards. */
const HELD_SECONDS = 60

/** `chance` returns a random number from 0 to 1. */
export type AttemptDeps = {
  webhooks: Pick<WebhookStore, 'get' | 'replace'>
  deliveries: Pick<DeliveryStore, 'record' | 'schedule' | 'move' | 'removeDue' | 'commit'>
  post: PostWebhook
  now: Clock
  chance: () => number
}

/**
 * Makes an attempt that is due, and schedules the next one if it failed. Of two simultaneous calls only one makes it. A
 * webhook that has failed for five days is switched off. An attempt for a DISABLED webhook is recorded as not sent.
 */
export async function attemptDelivery(deps: AttemptDeps, due: DueDelivery): Promise<void> {
  const { webhooks, deliveries, now } = deps
  const held = { ...due, dueAt: timestamp(secondsAfter(now(), HELD_SECONDS)) }
  if (!(await hold(deps, due, held))) return
  const webhook = await webhooks.get(due.webhookId)
  if (!webhook) return deliveries.commit([deliveries.removeDue(held)])
  if (isOff(webhook, due)) {
    return deliveries.commit([
      deliveries.removeDue(held),
      deliveries.record(unsentDelivery(due, timestamp(now()))),
    ])
  }
  const body = bodyOf(due.message)
  const headers = signedHeaders(due.message.id, body, liveSecrets(webhook, now()), now())
  const answer = await deps.post({ url: webhook.url, headers, body })
  await storeOutcome(deps, held, answer)
}

/** Moves an attempt's due time to the end of the hold. Returns false if another function holds the attempt. */
async function hold({ deliveries }: AttemptDeps, due: DueDelivery, held: DueDelivery): Promise<boolean> {
  try {
    await deliveries.commit(deliveries.move(due, held))
    return true
  } catch (error) {
    if (error instanceof WriteConflict) return false
    throw error
  }
}

/** Whether an attempt is not made: the webhook is DISABLED, or was switched on again after the delivery was scheduled. */
const isOff = ({ status, activeSince }: Webhook, { byHand, orderedAt }: DueDelivery): boolean =>
  !byHand && (status === 'DISABLED' || orderedAt < activeSince)

/** Records an attempt, the webhook's health after it, and the time of the next attempt. */
const storeOutcome = (
  { webhooks, deliveries, now, chance }: AttemptDeps,
  held: DueDelivery,
  answer: WebhookAnswer,
) =>
  retryConflicts(async () => {
    const webhook = await webhooks.get(held.webhookId)
    const at = timestamp(now())
    const failed = !isAccepted(answer.status)
    const next = webhook && webhookAfter(webhook, { failed }, now())
    const isChanged = webhook && next && next !== webhook
    const pauseSeconds = failed && !held.byHand ? backoffSeconds(held.attempt, chance()) : undefined
    const isRetried = pauseSeconds !== undefined && next?.status === 'ACTIVE'
    await deliveries.commit([
      deliveries.removeDue(held),
      deliveries.record(recordOf(held, at, answer)),
      ...(isChanged ? [webhooks.replace(webhook, next)] : []),
      ...(isRetried ? [deliveries.schedule(nextAttempt(held, secondsAfter(now(), pauseSeconds)))] : []),
    ])
  })

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

const nextAttempt = (held: DueDelivery, dueAt: Date): DueDelivery => ({
  ...held,
  // Attempts are listed by their ids, which begin with a time: here the time of the attempt.
  id: idMaker(() => dueAt)('delivery'),
  attempt: held.attempt + 1,
  dueAt: timestamp(dueAt),
})
