import * as z from 'zod'
import { DAY_SECONDS, MINUTE_SECONDS, Timestamp, timestamp } from '#lib/kernel/clock'
import { MailId, NotificationId, RegistrationId, SessionId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'

/** The purpose of a mailed link. */
export const LinkPurpose = z.enum(['password-reset', 'email-verification', 'email-change', 'email-undo'])
export type LinkPurpose = z.infer<typeof LinkPurpose>

const request = { id: MailId, at: Timestamp }

/**
 * A request to mail a link to an address. Only the job that sends the mail reads the account, so that neither the answer
 * nor its time shows whether the account exists.
 */
export const LinkRequest = z.object({
  ...request,
  /** The purpose of the link. `email-change-asked` is no link: it notifies the present address of a request. */
  purpose: z.enum([...LinkPurpose.options, 'email-change-asked']),
  /** As the caller wrote it; empty once the mail is sent or dropped. */
  email: z.string().default(''),
  /**
   * The account's registration when the link was requested; null for a request by a typed address. A request with a
   * registration is void once the account has another one, as after a ban.
   */
  registration: RegistrationId.nullable(),
  /** The account whose address changes or changed; null where `email` is the present address of the account. */
  userId: UserId.nullable().default(null),
  /** The session that asked for a change of address: the change does not end this session. */
  sessionId: SessionId.nullable().default(null),
})
export type LinkRequest = z.infer<typeof LinkRequest>

/** A request to mail a notification to its reader. The content is read when the mail is sent. */
export const NotificationRequest = z.object({
  ...request,
  userId: UserId,
  notificationId: NotificationId,
  /** The notification's name, for administrators. */
  name: z.string(),
})
export type NotificationRequest = z.infer<typeof NotificationRequest>

/** Notifications that are mailed to their reader together. */
export const DigestRequest = z.object({
  ...request,
  userId: UserId,
  notificationIds: z.array(NotificationId).min(1),
  /** For administrators. */
  name: z.string(),
})
export type DigestRequest = z.infer<typeof DigestRequest>

/** A mail that somebody asked for, or that an event brings about. */
export const MailRequest = z.union([NotificationRequest, DigestRequest, LinkRequest])
export type MailRequest = z.infer<typeof MailRequest>

/** The progress of a mail. */
export const MailProgress = z.object({
  /** Failed attempts. */
  attempts: z.int().default(0),
  /** Why the last attempt failed. */
  error: z.string().nullable().default(null),
  /** The time of the next attempt, or the end of a sender's claim: until then no sender takes the mail. Null without either. */
  dueAt: Timestamp.nullable().default(null),
  /** Whether a sender has it until `dueAt`. */
  isClaimed: z.boolean().default(false),
  /** When it was sent, or found to be no longer wanted. */
  doneAt: Timestamp.nullable().default(null),
})
export type MailProgress = z.infer<typeof MailProgress>

/** Whether an attempt failed, and the mail was neither sent nor dropped since. */
export const isUnsent = ({ attempts, doneAt }: Pick<MailProgress, 'attempts' | 'doneAt'>): boolean =>
  attempts > 0 && doneAt === null

/** Whether a sender has the mail, or its next attempt is not due yet. */
export const isHeld = ({ dueAt }: MailProgress, now: Date): boolean =>
  dueAt !== null && dueAt > timestamp(now)

/** A mail as it is stored. */
export type QueuedMail = { request: MailRequest; progress: MailProgress }

/**
 * The one queue of outgoing mail. A request is part of the transaction of the change that the mail is about; the
 * table's stream brings it, at least once, to the sending function.
 */
export type MailQueue = {
  request: (request: MailRequest) => Write
  get: (id: MailId) => Promise<QueuedMail | undefined>
  /** Stores the progress of a mail, if it is still as `seen`: of several simultaneous senders only one goes on. */
  progress: (seen: QueuedMail, next: MailProgress, now: Date) => Write[]
  /** Mails that are due by now: at most `limit` links, then at most `limit` others, each with the longest due first. */
  due: (now: Timestamp, limit: number) => Promise<{ id: MailId; dueAt: string }[]>
  /** Removes an entry of `due` whose mail has expired. */
  removeDue: (entry: { id: MailId; dueAt: string }) => Write[]
  /** Mails of which an attempt failed and that are not sent since, newest first: a query for each shard and one read. */
  unsent: (page: { limit: number; after: string | undefined }) => Promise<Page<QueuedMail, string>>
  /** Has the stream carry a mail to its sender once more. */
  sendAgain: (id: MailId, now: Date) => Write
  commit: Commit
}

/** The store for use cases that ask for mail and never send it. */
export type MailRequests = Pick<MailQueue, 'request' | 'commit'>

/**
 * Returns for how long a mail is tried: afterwards a link is of little use, and a notification of little interest. The
 * reader of a link that undoes a change of address cannot ask for another.
 */
export const tryingSeconds = (mail: MailRequest): number =>
  'purpose' in mail && mail.purpose !== 'email-undo' ? 30 * MINUTE_SECONDS : DAY_SECONDS

/** Returns the kind of a mail, for administrators. */
export const kindOfMail = (mail: MailRequest): string => ('purpose' in mail ? mail.purpose : mail.name)

export type MailReader = Pick<MailQueue, 'get' | 'due' | 'unsent'>
