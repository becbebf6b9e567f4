import * as z from 'zod'
import { DomainEvent } from '#lib/events/event'
import { secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { type EnquiryId, InboxId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'

/** For how long a notice can be read. */
export const NOTICE_SECONDS = 90 * 24 * 60 * 60

/** The unread count is told up to this number. */
export const UNREAD_MAX = 100

/**
 * What one person is told of one event: which notice, and the event itself. It holds ids, sums and codes; words are made
 * when it is read or mailed.
 */
export const Notice = z.object({
  id: InboxId,
  userId: UserId,
  /** A name of `NoticeWords`, or one of another version of the service. */
  name: z.string(),
  event: DomainEvent,
})
export type Notice = z.infer<typeof Notice>

/** Which mails a person wants. */
export const MailPreferences = z
  .object({ listings: z.boolean(), enquiries: z.boolean(), payments: z.boolean() })
  .meta({ id: 'MailPreferences' })
export type MailPreferences = z.infer<typeof MailPreferences>

/** That everything up to a notice counts as read, and since when. */
const ReadMark = z.object({ upTo: InboxId, at: Timestamp })

/** What is stored of a person's notices beside the notices. */
export const InboxState = z.object({
  /** Notices newer than the newest mark. */
  unread: z.int().default(0),
  /** Oldest first; each is newer than the one before it. */
  marks: z.array(ReadMark).default([]),
  /** Which mails the person wants. */
  listings: z.boolean().default(true),
  enquiries: z.boolean().default(true),
  payments: z.boolean().default(true),
  /** 1 once the person's account has ended: nothing is stored for them any more. */
  closed: z.int().default(0),
  /** Rises with every write of the mark, so that two of them never overwrite each other. */
  version: z.int().default(0),
})
export type InboxState = z.infer<typeof InboxState>

/** Where people's notices are stored. Reads are consistent; writes are values for `commit`. */
export type Inbox = {
  state: (userId: UserId) => Promise<InboxState>
  /** Whether a person was given a notice of an event. */
  isTold: (userId: UserId, event: DomainEvent) => Promise<boolean>
  notice: (userId: UserId, id: InboxId) => Promise<Notice | undefined>
  /** Notices of the last 90 days, newest first: one query. `newerThan` leaves those after a notice. */
  notices: (
    userId: UserId,
    page: { limit: number; after: InboxId | undefined; newerThan: InboxId | undefined; now: Date },
  ) => Promise<Page<Notice, InboxId>>
  /** A notice and its count, once for a person and an event, unless the inbox is closed; else a `WriteConflict`. */
  add: (notice: Notice, now: Date) => Write[]
  /** Claims the one mail an hour that a side of an enquiry may get; a `WriteConflict` where it was sent. */
  claimMail: (userId: UserId, enquiry: EnquiryId, now: Date) => Write
  /** Whether that mail was sent within the hour. */
  isMailed: (userId: UserId, enquiry: EnquiryId, now: Date) => Promise<boolean>
  /** Stores the marks and the count that follows from them, if no notice came meanwhile. */
  markRead: (userId: UserId, seen: InboxState, next: Pick<InboxState, 'marks' | 'unread'>) => Write
  /** Stores these preferences and leaves the others; a `WriteConflict` where the inbox is closed. */
  setPreferences: (userId: UserId, mail: Partial<MailPreferences>) => Write
  /** Removes everything of a person, and keeps the inbox closed for as long as events may come late. */
  close: (userId: UserId, now: Date) => Promise<void>
  commit: Commit
}

/** The oldest moment whose notices can still be read. */
export const oldestReadable = (now: Date): Timestamp => timestamp(secondsAfter(now, -NOTICE_SECONDS))

/** When a notice was read: when the first mark passed it. Null while it is unread. */
export const readAtOf = (
  { marks }: Pick<InboxState, 'marks'>,
  { id }: Pick<Notice, 'id'>,
): Timestamp | null => marks.find(({ upTo }) => upTo >= id)?.at ?? null

/** Which mails a person wants: all of them at first. */
export const preferencesOf = ({ listings, enquiries, payments }: InboxState): MailPreferences => ({
  listings,
  enquiries,
  payments,
})

/** The newest notice that counts as read. */
export const readUpTo = ({ marks }: Pick<InboxState, 'marks'>): InboxId | undefined => marks.at(-1)?.upTo
