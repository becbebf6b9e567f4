import { type Clock, DAY_SECONDS, secondsAfter, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { morningOf, nextMorning } from '#lib/kernel/morning'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import type { MailRequests } from '#lib/mail/mail-request'
import type { Digest, NotificationStore } from './notification.ts'

/** The number of days, today included, whose unsent digests a run sends. */
const DAYS = 8
/** The most notifications of one mail. One transaction stores the mail and removes the digest's entry of each of them. */
const NOTIFICATIONS_MAX = 90
const MAILS_AT_ONCE = 5

/** Returns the day on which a notification of this moment is mailed with others. */
export const digestDay = (now: Date): string => nextMorning(now).slice(0, 10)

type Deps = {
  notifications: NotificationStore
  mails: MailRequests
  now: Clock
  newId: NewId
}

/** Requests the mail of every digest that is due at a moment. A repeated call requests no mail twice. */
export async function sendDigests(deps: Deps, at: Date): Promise<{ mails: number }> {
  let mails = 0
  for (const day of daysUntil(at)) {
    const digests = (await deps.notifications.digests(day)).flatMap(splitByTransaction)
    const sent = await inParallel(digests, (digest) => send(deps, digest), { width: MAILS_AT_ONCE })
    mails += sent.filter(Boolean).length
  }
  return { mails }
}

/** Returns the days whose digests are due, oldest first: a day's are due from its morning on. */
const daysUntil = (at: Date): string[] =>
  Array.from({ length: DAYS }, (_, ago) => timestamp(secondsAfter(at, -ago * DAY_SECONDS)).slice(0, 10))
    .filter((day) => morningOf(day) <= timestamp(at))
    .reverse()

const splitByTransaction = (digest: Digest): Digest[] =>
  Array.from({ length: Math.ceil(digest.notificationIds.length / NOTIFICATIONS_MAX) }, (_, part) => ({
    ...digest,
    notificationIds: digest.notificationIds.slice(part * NOTIFICATIONS_MAX, (part + 1) * NOTIFICATIONS_MAX),
  }))

async function send({ notifications, mails, now, newId }: Deps, digest: Digest): Promise<boolean> {
  const { userId, notificationIds } = digest
  const request = { id: newId('mail'), at: timestamp(now()), userId, notificationIds, name: 'digest' }
  try {
    await notifications.commit([mails.request(request), ...notifications.takeDigest(digest)])
    return true
  } catch (error) {
    // Another run has requested this mail.
    if (error instanceof WriteConflict) return false
    throw error
  }
}
