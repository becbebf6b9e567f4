import { dependency } from '#lib/config/config'
import { readNewItem } from '#lib/dynamo/stream'
import { clock } from '#lib/http/runtime'
import { QueuedDelivery } from './delivery.ts'
import { deliveries } from './delivery-store.dynamo.ts'
import { postWebhook } from './post-webhook.https.ts'
import { webhooks } from './webhook-store.dynamo.ts'

/** The dependencies of the two functions that make attempts. */
export const attemptDeps = {
  webhooks,
  deliveries,
  post: postWebhook,
  now: clock,
  // It spreads attempts that failed together.
  chance: dependency([], () => Math.random),
}

/** Reads a message of their queues. */
export const readQueuedDelivery = (body: string): QueuedDelivery => QueuedDelivery.parse(readNewItem(body))
