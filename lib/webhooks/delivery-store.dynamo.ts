import { onTable, type Table } from '#lib/dynamo/table'
import { DAY_SECONDS, NEVER, secondsAfter, timestamp, unixSeconds } from '#lib/kernel/clock'
import { DeliveryId } from '#lib/kernel/id'
import { sha256Bytes } from '#lib/kernel/signatures'
import {
  DELIVERY_KEPT_SECONDS,
  Delivery,
  type DeliveryQueue,
  DueDelivery,
  type QueuedDelivery,
} from './delivery.ts'
import {
  deliveriesPartition,
  deliveryKey,
  dueDeliveriesPartition,
  dueDeliveryKey,
  queuedDeliveriesPartition,
  queuedDeliveryKey,
  scheduledKey,
} from './webhook.keys.ts'
import type { DeliveryReader, DeliveryStore } from './webhook-store.ts'

/**
 * A message may wait two weeks in its queue, and two more among the dead letters. The mark of its event and its attempt are
 * kept longer. An attempt that is left for so long is one of a webhook that was deleted.
 */
const KEPT_SECONDS = 30 * DAY_SECONDS

/** Opens made and due attempts in the one table. */
export const openDeliveries = (table: Table): DeliveryStore => ({
  get: async (webhookId, id) => {
    const found = await table.get(deliveryKey(webhookId, id))
    return found && Delivery.parse(found)
  },
  list: async (webhookId, { limit, after }) => {
    const partition = deliveriesPartition(webhookId)
    const { items, last } = await table.query({ partition, limit, after, descending: true, consistent: true })
    return {
      items: items.map((found) => Delivery.parse(found)),
      next: last === undefined ? undefined : DeliveryId.parse(last),
    }
  },
  record: (delivery) =>
    table.put({
      ...deliveryKey(delivery.webhookId, delivery.id),
      kind: 'delivery',
      ...delivery,
      expiresAtSeconds: unixSeconds(secondsAfter(new Date(delivery.at), DELIVERY_KEPT_SECONDS)),
    }),
  schedule: (due) => table.put({ ...placeOf(due), kind: 'delivery-due', ...due, ...expiry(due) }),
  unschedule: (seen) => table.remove(placeOf(seen), { when: 'present' }),
  due: async (webhookId, until, limit) => {
    const partition = dueDeliveriesPartition(webhookId)
    const { items } = await table.query({ partition, limit, consistent: true })
    return items.map((found) => DueDelivery.parse(found)).filter(({ dueAt }) => dueAt <= timestamp(until))
  },
  enqueue: (queued) =>
    table.put({
      ...placeInQueue(queued),
      ...(queued.queue === 'sending' ? { kind: 'delivery-sending' } : { kind: 'delivery-retrying' }),
      ...queued,
      // The queue takes the `subject` of an item as its message group.
      subject: messageGroupOf(queued),
      ...expiry(queued),
    }),
  dequeue: (seen) => table.remove(placeInQueue(seen), { when: 'present' }),
  isQueued: async (seen) => (await table.get(placeInQueue(seen))) !== undefined,
  countQueued: (webhookId, since, limit) =>
    table.count({
      partition: queuedDeliveriesPartition(webhookId),
      between: [timestamp(since), NEVER],
      limit,
      consistent: true,
    }),
  markScheduled: (webhookId, eventId, at) =>
    table.put(
      {
        ...scheduledKey(webhookId, eventId),
        kind: 'webhook-event',
        expiresAtSeconds: unixSeconds(secondsAfter(at, KEPT_SECONDS)),
      },
      { when: 'absent' },
    ),
  isScheduled: async (webhookId, eventId) =>
    (await table.get(scheduledKey(webhookId, eventId))) !== undefined,
  commit: table.commit,
})

const placeOf = ({ webhookId, dueAt, id }: DueDelivery) => dueDeliveryKey(webhookId, dueAt, id)
const placeInQueue = ({ webhookId, dueAt, id }: DueDelivery) => queuedDeliveryKey(webhookId, dueAt, id)
const expiry = ({ dueAt }: DueDelivery) => ({
  expiresAtSeconds: unixSeconds(secondsAfter(new Date(dueAt), KEPT_SECONDS)),
})

/**
 * The number of message groups of one webhook in a queue, and so of its attempts that the queue starts in parallel. Each
 * queue has as many workers in serverless.yml as all webhooks have lanes: one that hangs delays no other.
 */
export const LANES: Readonly<Record<DeliveryQueue, number>> = { sending: 8, retrying: 2 }

/**
 * Returns the message group of an attempt in its queue, which keeps a group in order. The events of one record are
 * always in the same group.
 */
const messageGroupOf = ({ queue, webhookId, message: { id, subject } }: QueuedDelivery): string => {
  const [first = 0] = sha256Bytes(subject ?? id)
  return `${webhookId}#${first % LANES[queue]}`
}

/** The attempts as a dependency. */
export const deliveries = onTable(openDeliveries, {
  reads: ['DELIVERIES', 'DELIVERIES-DUE', 'DELIVERIES-QUEUED', 'WEBHOOK-EVENT'],
  writes: ['DELIVERIES', 'DELIVERIES-DUE', 'DELIVERIES-QUEUED', 'WEBHOOK-EVENT'],
})

export const deliveryReader = onTable((table): DeliveryReader => openDeliveries(table), {
  reads: ['DELIVERIES', 'DELIVERIES-DUE', 'DELIVERIES-QUEUED', 'WEBHOOK-EVENT'],
})
