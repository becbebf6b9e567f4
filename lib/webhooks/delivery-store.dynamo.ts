import { createHash } from 'node:crypto'
import { storeOnTable, type Table } from '#lib/dynamo/table'
import { secondsAfter, timestamp, unixSeconds } from '#lib/kernel/clock'
import { DeliveryId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { DELIVERY_KEPT_SECONDS, Delivery, DueDelivery } from './delivery.ts'
import {
  deliveriesPartition,
  deliveryKey,
  dueDeliveriesPartition,
  dueDeliveryKey,
  scheduledKey,
} from './webhook.keys.ts'
import type { DeliveryStore } from './webhook-store.ts'

/** A message may wait two weeks in its queue, and two more among the dead letters: the mark of its event is kept longer. */
const MARK_SECONDS = 30 * 24 * 60 * 60

/** The table removes an attempt that is overdue for so long: its webhook was deleted. */
const OVERDUE_KEPT_SECONDS = 7 * 24 * 60 * 60

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
  record: (delivery) => ({
    put: {
      ...deliveryKey(delivery.webhookId, delivery.id),
      kind: 'delivery',
      ...delivery,
      expiresAtSeconds: unixSeconds(secondsAfter(new Date(delivery.at), DELIVERY_KEPT_SECONDS)),
    },
  }),
  schedule: (due) => scheduled(due),
  markScheduled: (webhookId, eventId, at) => ({
    put: {
      ...scheduledKey(webhookId, eventId),
      kind: 'webhook-event',
      expiresAtSeconds: unixSeconds(secondsAfter(at, MARK_SECONDS)),
    },
    when: 'absent',
  }),
  isScheduled: async (webhookId, eventId) =>
    (await table.get(scheduledKey(webhookId, eventId))) !== undefined,
  move: (seen, next) => [{ remove: placeOf(seen), when: 'present' }, scheduled(next)],
  removeDue: (seen) => ({ remove: placeOf(seen), when: 'present' }),
  due: async (webhookId, until, limit) => {
    const partition = dueDeliveriesPartition(webhookId)
    const { items } = await table.query({ partition, limit, consistent: true })
    return items.map((found) => DueDelivery.parse(found)).filter(({ dueAt }) => dueAt <= timestamp(until))
  },
  commit: table.commit,
})

const placeOf = ({ webhookId, dueAt, id }: DueDelivery) => dueDeliveryKey(webhookId, dueAt, id)

/** The number of message groups of one webhook, and so of its attempts that the queue starts in parallel. */
export const LANES = 8

/**
 * Returns the message group of an attempt in the queue, which keeps a group in order. The events of one record are
 * always in the same group.
 */
const messageGroupOf = ({ webhookId, message: { id, subject } }: DueDelivery): string => {
  const [first = 0] = createHash('sha256')
    .update(subject ?? id)
    .digest()
  return `${webhookId}#${first % LANES}`
}

/** Returns the write that puts an attempt into the list of its webhook. */
const scheduled = (due: DueDelivery): Write => ({
  put: {
    ...placeOf(due),
    kind: 'delivery-due',
    ...due,
    // The queue takes the `subject` of an item as its message group.
    subject: messageGroupOf(due),
    expiresAtSeconds: unixSeconds(secondsAfter(new Date(due.dueAt), OVERDUE_KEPT_SECONDS)),
  },
})

/** The attempts as a dependency, with what each method does in which partition. */
export const deliveryStore = storeOnTable(openDeliveries, {
  get: { DELIVERIES: ['get'] },
  list: { DELIVERIES: ['query'] },
  record: { DELIVERIES: ['put'] },
  schedule: { 'DELIVERIES-DUE': ['put'] },
  markScheduled: { 'WEBHOOK-EVENT': ['put'] },
  isScheduled: { 'WEBHOOK-EVENT': ['get'] },
  move: { 'DELIVERIES-DUE': ['put', 'remove'] },
  removeDue: { 'DELIVERIES-DUE': ['remove'] },
  due: { 'DELIVERIES-DUE': ['query'] },
  commit: {},
})
