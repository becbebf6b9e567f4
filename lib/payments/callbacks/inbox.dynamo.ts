import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod'
import { queryShards, recordsInOrder } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { NotificationId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import {
  notificationKey,
  notificationListKey,
  notificationListPartition,
  paymentNotificationsEntry,
  paymentNotificationsQuery,
  referencedIndex,
  waitingKey,
  waitingQuery,
} from '#lib/payments/payment.keys'
import { ATTENTION, type Inbox, needsSomeone } from './inbox.ts'
import { Notification, withoutPayer } from './notification.ts'

const GZIP_MARK = Buffer.from([0x1f, 0x8b])

/** Raw bytes are stored compressed, since an item holds 400 KB at most; the first edition stored them as they are. */
const StoredNotification = Notification.extend({
  rawBody: z
    .instanceof(Uint8Array)
    .transform((bytes) =>
      GZIP_MARK.equals(bytes.subarray(0, GZIP_MARK.length)) ? new Uint8Array(gunzipSync(bytes)) : bytes,
    ),
})

const compressed = (bytes: Uint8Array): Uint8Array => new Uint8Array(gzipSync(bytes))

const Waiting = z.object({ notificationId: NotificationId })

/** The event was received before. */
class AlreadyThere extends Error {}

/** As many as wait by one reference in one look: what a payment's whole life has, many times over. */
const WAITING_LIMIT = 100

/** The inbox in the one table. */
export const openInbox = (table: Table): Inbox => {
  const waitingBy = async (provider: string, reference: string) => {
    const items = await table.queryAll({
      ...waitingQuery(provider, reference),
      limit: WAITING_LIMIT,
      consistent: true,
    })
    return items.map((item) => notificationKey(Waiting.parse(item).notificationId))
  }
  return {
    get: async (id) => {
      const item = await table.get(notificationKey(id))
      return item && StoredNotification.parse(item)
    },
    insert: async (notification) => {
      const put = { ...notificationKey(notification.id), ...byPayment(notification), kind: 'notification' }
      try {
        const first: Write = {
          put: { ...put, ...notification, rawBody: compressed(notification.rawBody) },
          when: 'absent',
          otherwise: () => new AlreadyThere(),
        }
        await table.commit([first, ...entriesOf(notification)])
        return true
      } catch (error) {
        if (error instanceof AlreadyThere) return false
        throw error
      }
    },
    wait: async (notification) => {
      const { id, provider, references, detail, expiresAtSeconds } = notification
      const words = references.map((reference): Write => {
        const word = { kind: 'waiting', notificationId: id, expiresAtSeconds }
        return { put: { ...waitingKey(provider, reference, id), ...referencedIndex(reference, id), ...word } }
      })
      // Were it closed meanwhile, the word would be of no use and no harm: readers of the list see the status.
      const waiting = { ...notification, waits: true }
      await table.commit([
        {
          update: notificationKey(id),
          set: { waits: true, detail },
          when: { equals: { status: 'UNMATCHED' } },
        },
        ...words,
        ...entriesOf(waiting),
      ])
      return waiting
    },
    waiting: async (provider, references) => {
      const keys = await Promise.all(references.map((reference) => waitingBy(provider, reference)))
      const items = await table.getMany(keys.flat())
      return items
        .map((item) => StoredNotification.parse(item))
        .filter(({ status }) => status === 'UNMATCHED')
    },
    ofPayment: async (paymentId, limit = WAITING_LIMIT) => {
      const query = { ...paymentNotificationsQuery(paymentId), descending: true, limit }
      const items = await table.queryAll(query)
      return items.map((item) => StoredNotification.parse(item))
    },
    list: async (list, { limit, after }) => {
      const partition = notificationListPartition(list)
      const { items, next } = await queryShards(table, partition, { limit, after, descending: true })
      const ids = items.map(({ sk }) => NotificationId.parse(sk))
      return {
        items: await recordsInOrder(table, ids, notificationKey, StoredNotification),
        next: next === undefined ? undefined : NotificationId.parse(next),
      }
    },
    close: (notification, outcome) => {
      const { id, provider, references, waits } = notification
      const closed = { ...notification, ...outcome, waits: false }
      const left = listsOf(notification).filter((list) => !listsOf(closed).includes(list))
      return [
        {
          update: notificationKey(id),
          set: { ...outcome, waits: false, ...byPayment(closed) },
          when: { equals: { status: notification.status } },
        },
        ...(waits ? references : []).map((reference) => ({ remove: waitingKey(provider, reference, id) })),
        ...left.map((list) => ({ remove: notificationListKey(list, id) })),
        ...entriesOf(closed),
      ]
    },
    erase: (notification) => ({
      update: notificationKey(notification.id),
      set: withoutPayer(notification),
      when: 'present',
    }),
    commit: table.commit,
  }
}

const byPayment = ({ id, paymentId }: Notification) =>
  paymentId === null ? {} : paymentNotificationsEntry(paymentId, id)

/** One is listed as soon as it has ended or waits; until then it is being dealt with. */
const listsOf = (notification: Notification): string[] => {
  const { status, provider, waits } = notification
  if (status === 'UNMATCHED' && !waits) return []
  return [status, provider, ...(needsSomeone(notification) ? [ATTENTION] : [])]
}

const entriesOf = (notification: Notification): Write[] =>
  listsOf(notification).map((list) => ({
    put: {
      ...notificationListKey(list, notification.id),
      kind: 'notification-entry',
      expiresAtSeconds: notification.expiresAtSeconds,
    },
  }))

/** The function's inbox. */
export const inbox = onTable(openInbox)
