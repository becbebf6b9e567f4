import * as z from 'zod'
import { shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { HOUR_SECONDS, secondsAfter, unixSeconds } from '#lib/kernel/clock'
import { NotificationId, UserId } from '#lib/kernel/id'
import {
  digestKey,
  digestList,
  enquiryMailKey,
  notificationItemKey,
  notificationKey,
  notificationRange,
  notificationStateKey,
  notificationsPartition,
  notifiedKey,
  readNotificationKey,
} from './notification.keys.ts'
import {
  NOTIFICATION_SECONDS,
  Notification,
  type NotificationReader,
  NotificationState,
  type NotificationStore,
} from './notification.ts'

/** The time in which each side of an enquiry gets one mail at most. */
const ENQUIRY_MAIL_SECONDS = HOUR_SECONDS

const DigestEntry = z.object({ userId: UserId, notificationId: NotificationId })

/** Opens the notifications of the one table. The time to live removes every item but states and digest entries. */
export const openNotifications = (table: Table): NotificationStore => ({
  state: async (userId) => NotificationState.parse((await table.get(notificationStateKey(userId))) ?? {}),
  notificationOf: async (userId, first) => {
    const item = await table.get(notifiedKey(userId, first))
    return item && NotificationId.parse(item['notificationId'])
  },
  get: async (userId, id) => {
    const item = await table.get(notificationKey(userId, id))
    return item && Notification.parse(item)
  },
  list: async (userId, { limit, after, newerThan, oldest }) => {
    const { items, last } = await table.query({
      partition: notificationsPartition(userId),
      between: notificationRange(newerThan),
      limit,
      descending: true,
      consistent: true,
      after: after && notificationKey(userId, after).sk,
    })
    // DynamoDB may remove an item days after its time to live has ended.
    const found = items.map((item) => Notification.parse(item))
    return {
      items: found.filter(({ event }) => event.at >= oldest),
      next: last === undefined ? undefined : readNotificationKey(last),
    }
  },
  add: (notification, first, now) => {
    const { id, userId } = notification
    const expiresAtSeconds = unixSeconds(secondsAfter(now, NOTIFICATION_SECONDS))
    return [
      table.put(
        {
          ...notifiedKey(userId, first),
          kind: 'notified',
          userId,
          notificationId: id,
          expiresAtSeconds,
        },
        { when: 'absent' },
      ),
      table.put(
        { ...notificationKey(userId, id), kind: 'notification', ...notification, expiresAtSeconds },
        { when: 'absent' },
      ),
      table.update(notificationStateKey(userId), {
        set: { kind: 'notifications', userId, closed: 0 },
        add: { unread: 1 },
        when: OPEN,
      }),
    ]
  },
  showEvent: ({ id, userId, event: { id: seenId } }, event) =>
    table.update(notificationKey(userId, id), { set: { event }, when: { equals: { 'event.id': seenId } } }),
  claimMail: (userId, enquiry, now) => {
    const untilSeconds = unixSeconds(secondsAfter(now, ENQUIRY_MAIL_SECONDS))
    const item = { kind: 'enquiry-mail', userId, untilSeconds, expiresAtSeconds: untilSeconds }
    return table.put(
      { ...enquiryMailKey(userId, enquiry), ...item },
      // Below the next second: a claim that ends in this second has ended.
      { when: { absentOrBelow: { attribute: 'untilSeconds', value: unixSeconds(now) + 1 } } },
    )
  },
  isMailed: async (userId, enquiry, now) => {
    const item = await table.get(enquiryMailKey(userId, enquiry))
    return item !== undefined && Number(item['untilSeconds']) > unixSeconds(now)
  },
  addToDigest: (userId, notificationId, day) =>
    table.put({ ...digestKey(day, userId, notificationId), kind: 'digest-entry', userId, notificationId }),
  digests: async (day) => {
    const shards = await Promise.all(
      shardsOf(digestList(day)).map((partition) => table.queryAll({ partition, consistent: true })),
    )
    const entries = shards.flat().map((item) => DigestEntry.parse(item))
    return [...Map.groupBy(entries, ({ userId }) => userId)].map(([userId, theirs]) => ({
      userId,
      day,
      notificationIds: theirs.map(({ notificationId }) => notificationId),
    }))
  },
  takeDigest: ({ userId, day, notificationIds }) =>
    notificationIds.map((id) => table.remove(digestKey(day, userId, id), { when: 'present' as const })),
  markRead: (userId, seen, next) =>
    table.update(notificationStateKey(userId), {
      set: { ...next, version: seen.version + 1 },
      // A version of 0 is not stored.
      when: { equals: { unread: seen.unread, version: seen.version || undefined } },
    }),
  setPreferences: (userId, mailPreferences) =>
    table.update(notificationStateKey(userId), {
      set: { kind: 'notifications', userId, closed: 0, ...mailPreferences },
      when: OPEN,
    }),
  switchOff: (userId, topic) =>
    // The reader of the mail has a state. A late click must store nothing in its place.
    table.update(notificationStateKey(userId), { set: { [topic]: false }, when: { equals: { closed: 0 } } }),
  close: async (userId) => {
    // The state is closed first, so that no notification is added after the removal. It stays closed: a payment of the
    // person may be disputed years later.
    await table.commit([
      table.put({ ...notificationStateKey(userId), kind: 'notifications', userId, closed: 1 }),
    ])
    const items = await table.queryAll({ partition: notificationsPartition(userId), consistent: true })
    const others = items.map(({ sk }) => String(sk)).filter((sk) => sk !== notificationStateKey(userId).sk)
    await table.writeEach(others.map((sk) => ({ remove: notificationItemKey(userId, sk) })))
  },
  commit: table.commit,
})

/** The condition that the account is not deleted: its state is absent or not closed. */
const OPEN = { absentOrBelow: { attribute: 'closed', value: 1 } }

/** The store of notifications, as a dependency of functions. */
export const notifications = onTable(openNotifications, {
  reads: ['DIGESTS', 'NOTIFICATIONS'],
  writes: ['DIGESTS', 'NOTIFICATIONS'],
})

export const notificationReader = onTable((table): NotificationReader => openNotifications(table), {
  reads: ['DIGESTS', 'NOTIFICATIONS'],
})
