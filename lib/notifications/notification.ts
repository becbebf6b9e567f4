import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { DomainEvent } from '#lib/events/event'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { type EnquiryId, type EventId, NotificationId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { MailTopic } from '#lib/mail/mail-content'
import { MailPreferences } from '#lib/mail/mail-preferences'

/** For how long a notification can be read. */
export const NOTIFICATION_SECONDS = 90 * DAY_SECONDS

/** The unread count stops at this number. */
export const UNREAD_MAX = 100

/** One event as one person is shown it: ids, sums and codes. Words are made when it is read or mailed. */
export const Notification = z.object({
  id: NotificationId,
  userId: UserId,
  /** A name of `NOTIFICATIONS`, or one of another version of the service. */
  name: z.string(),
  event: DomainEvent,
})
export type Notification = z.infer<typeof Notification>

/** Every notification up to `upTo` counts as read from `at` on. */
const ReadMark = z.object({ upTo: NotificationId, at: Timestamp })

/** The state that all notifications of a person share. */
export const NotificationState = z.object({
  /** Notifications newer than the newest mark. */
  unread: z.int().default(0),
  /** Oldest first; each is newer than the one before it. */
  marks: z.array(ReadMark).default([]),
  /** Which mails the person wants. */
  listings: z.boolean().default(true),
  enquiries: z.boolean().default(true),
  payments: z.boolean().default(true),
  favourites: z.boolean().default(true),
  searches: z.boolean().default(true),
  /** 1 once the person's account is deleted, else 0: a number, since a write can demand that it is below 1. */
  closed: z.int().default(0),
  /** Rises with every write of the marks, so that two of them never overwrite each other. */
  version: z.int().default(0),
})
export type NotificationState = z.infer<typeof NotificationState>

/** The notifications of one person that are mailed together on a day. */
export type Digest = { userId: UserId; day: string; notificationIds: NotificationId[] }

/** Stores people's notifications. Reads are consistent; writes are values for `commit`. */
export type NotificationStore = {
  state: (userId: UserId) => Promise<NotificationState>
  /** The notification that a person was given of an event, or of the first of several that share one. */
  notificationOf: (userId: UserId, first: EventId) => Promise<NotificationId | undefined>
  get: (userId: UserId, id: NotificationId) => Promise<Notification | undefined>
  /**
   * Notifications since `oldest`, newest first: one query. `newerThan` limits them to those after a notification.
   */
  list: (
    userId: UserId,
    page: {
      limit: number
      after: NotificationId | undefined
      newerThan: NotificationId | undefined
      oldest: Timestamp
    },
  ) => Promise<Page<Notification, NotificationId>>
  /**
   * Adds an unread notification; a `WriteConflict` if the person was notified of the event, or the state is closed. `first`
   * is the first of several events that share the notification, or the event itself.
   */
  add: (notification: Notification, first: EventId, now: Date) => Write[]
  /** Shows another event in a notification; a `WriteConflict` if it shows another one than was seen. */
  showEvent: (seen: Notification, event: DomainEvent) => Write
  /** Claims the one mail an hour that a side of an enquiry may get; a `WriteConflict` if it was sent already. */
  claimMail: (userId: UserId, enquiry: EnquiryId, now: Date) => Write
  /** Whether that mail was sent within the hour. */
  isMailed: (userId: UserId, enquiry: EnquiryId, now: Date) => Promise<boolean>
  /** Has a notification mailed with the others of a day, such as `2026-11-22`, on the morning of that day (UTC). */
  addToDigest: (userId: UserId, id: NotificationId, day: string) => Write
  /** Lists the digests of a day, person by person: a query for each shard and megabyte. */
  digests: (day: string) => Promise<Digest[]>
  /** Takes a digest out of the list; a `WriteConflict` if another run has taken it. */
  takeDigest: (digest: Digest) => Write[]
  /** Stores the marks and the count that follows from them, if no notification came meanwhile. */
  markRead: (
    userId: UserId,
    seen: NotificationState,
    next: Pick<NotificationState, 'marks' | 'unread'>,
  ) => Write
  /** Stores these preferences and leaves the others; a `WriteConflict` where the state is closed. */
  setPreferences: (userId: UserId, mail: { [Topic in MailTopic]?: boolean | undefined }) => Write
  /** Switches a topic off; a `WriteConflict` where the state is closed, or was never stored. */
  switchOff: (userId: UserId, topic: MailTopic) => Write
  /** Removes everything of a person but the state, which stays closed. */
  close: (userId: UserId) => Promise<void>
  commit: Commit
}

/** Returns the oldest moment whose notifications a person can read: 90 days ago, or when they took the account back. */
export function oldestReadable({ takenBackAt }: Pick<Account, 'takenBackAt'>, now: Date): Timestamp {
  const oldest = timestamp(secondsAfter(now, -NOTIFICATION_SECONDS))
  return takenBackAt !== null && takenBackAt > oldest ? takenBackAt : oldest
}

/** Returns when the first mark passed a notification; null while it is unread. */
export const readAtOf = (
  { marks }: Pick<NotificationState, 'marks'>,
  { id }: Pick<Notification, 'id'>,
): Timestamp | null => marks.find(({ upTo }) => upTo >= id)?.at ?? null

/** Which mails a person wants: all of them at first. */
export const preferencesOf = (state: NotificationState): MailPreferences => MailPreferences.parse(state)

/** Returns the newest notification that counts as read. */
export const readUpTo = ({ marks }: Pick<NotificationState, 'marks'>): NotificationId | undefined =>
  marks.at(-1)?.upTo

export type NotificationReader = Pick<
  NotificationStore,
  'state' | 'notificationOf' | 'get' | 'list' | 'isMailed' | 'digests'
>
