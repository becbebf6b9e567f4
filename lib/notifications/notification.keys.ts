import { shardOf } from '#lib/dynamo/lists'
import { type EnquiryId, type EventId, NotificationId, type UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

export const notificationsPartition = (id: UserId): string => `NOTIFICATIONS#${id}`

/** The unread count, the read marks and the preferences of a person. */
export const notificationStateKey = (id: UserId): Key => ({
  pk: notificationsPartition(id),
  sk: 'NOTIFICATIONS',
})

export const notificationItemKey = (id: UserId, sk: string): Key => ({ pk: notificationsPartition(id), sk })

/** Notifications sort by when they came. */
export const notificationKey = (id: UserId, notification: NotificationId): Key => ({
  pk: notificationsPartition(id),
  sk: `NOTIFICATION#${notification}`,
})

/** Reads the notification that the `sk` of `notificationKey` names. */
export const readNotificationKey = (sk: string): NotificationId => NotificationId.parse(sk.split('#')[1])

/**
 * The range of a person's notifications, or of those newer than one of them. In the order of sort keys an id with a `#`
 * comes right after that notification, and `~` after every id.
 */
export const notificationRange = (newerThan: NotificationId | undefined): [string, string] => [
  newerThan === undefined ? 'NOTIFICATION#' : `NOTIFICATION#${newerThan}#`,
  'NOTIFICATION#~',
]

/** Marks that a person was notified of an event. */
export const notifiedKey = (id: UserId, event: EventId): Key => ({
  pk: notificationsPartition(id),
  sk: `NOTIFIED#${event}`,
})

/** The notifications that are mailed together on a day. */
export const digestList = (day: string): string => `DIGESTS#${day}`

export const digestKey = (day: string, id: UserId, notification: NotificationId): Key => ({
  pk: `${digestList(day)}#${shardOf(id)}`,
  sk: `${id}#${notification}`,
})

/** Marks when a person was last mailed about an enquiry. */
export const enquiryMailKey = (id: UserId, enquiry: EnquiryId): Key => ({
  pk: notificationsPartition(id),
  sk: `MAILED#${enquiry}`,
})
