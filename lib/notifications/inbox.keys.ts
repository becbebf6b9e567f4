import type { EnquiryId, EventId, InboxId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The partition of everything in a person's inbox. */
export const inboxPartition = (id: UserId): string => `INBOX#${id}`

/** What is known of a person's notices together: the unread count, the read mark, what is mailed. */
export const inboxKey = (id: UserId): Key => ({ pk: inboxPartition(id), sk: 'INBOX' })

/** The key of an item of that partition, by its sort key. */
export const inboxItemKey = (id: UserId, sk: string): Key => ({ pk: inboxPartition(id), sk })

/** One notice; they sort by when they came. */
export const noticeKey = (id: UserId, notice: InboxId): Key => ({
  pk: inboxPartition(id),
  sk: `NOTICE#${notice}`,
})

/** From where to where a person's notices sort, or those that are newer than one of them. */
export const noticeRange = (newerThan: InboxId | undefined): [string, string] => [
  newerThan === undefined ? 'NOTICE#' : `NOTICE#${newerThan}#`,
  'NOTICE#~',
]

/** That a person was told of an event. */
export const toldKey = (id: UserId, event: EventId): Key => ({ pk: inboxPartition(id), sk: `TOLD#${event}` })

/** When a person was last mailed about an enquiry. */
export const enquiryMailKey = (id: UserId, enquiry: EnquiryId): Key => ({
  pk: inboxPartition(id),
  sk: `MAILED#${enquiry}`,
})
