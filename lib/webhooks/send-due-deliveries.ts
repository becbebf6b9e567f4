import { setTimeout as sleep } from 'node:timers/promises'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { inParallel } from '#lib/kernel/parallel'
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts'
import type { DueDelivery } from './delivery.ts'
import type { Webhook } from './webhook.ts'
import type { DeliveryStore, WebhookStore } from './webhook-store.ts'

type DueDeps = AttemptDeps & {
  webhooks: Pick<WebhookStore, 'all'>
  deliveries: Pick<DeliveryStore, 'due'>
}

/** `sendWhenDue` waits for an attempt that is due this soon. */
const SOON_SECONDS = 10

/** The number of attempts that `sendDueDeliveries` makes to one endpoint at once. */
const AT_ONCE = 5

/** The longest time of one run of `sendDueDeliveries`. */
const RUN_SECONDS = 240

/** Makes an attempt as soon as it is due, if that is within ten seconds; leaves any other to `sendDueDeliveries`. */
export async function sendWhenDue(deps: AttemptDeps, due: DueDelivery): Promise<void> {
  const waitMilliseconds = Date.parse(due.dueAt) - deps.now().getTime()
  if (waitMilliseconds > SOON_SECONDS * 1000) return
  if (waitMilliseconds > 0) await sleep(waitMilliseconds)
  await attemptDelivery(deps, due)
}

/**
 * Makes every due attempt, to all endpoints in parallel, for four minutes at most. Returns the number of attempts. If one
 * cannot be stored, throws that error once the attempts to the other endpoints are made.
 */
export async function sendDueDeliveries(deps: DueDeps): Promise<{ sent: number }> {
  const until = timestamp(secondsAfter(deps.now(), RUN_SECONDS))
  const webhooks = await deps.webhooks.all()
  const sendAll = (webhook: Webhook) => sendDueOf(deps, webhook, until)
  const counts = await inParallel(webhooks, sendAll, { width: webhooks.length })
  return { sent: counts.reduce((sum, count) => sum + count, 0) }
}

async function sendDueOf(deps: DueDeps, { id }: Webhook, until: string): Promise<number> {
  let sent = 0
  while (timestamp(deps.now()) < until) {
    const due = await deps.deliveries.due(id, deps.now(), AT_ONCE)
    if (due.length === 0) return sent
    await inParallel(due, (each) => attemptDelivery(deps, each), { width: AT_ONCE })
    sent += due.length
  }
  return sent
}
