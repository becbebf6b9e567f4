import type { DomainEvent } from '#lib/events/event'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { EnquiryId, type EventId, type NewId, type NotificationId, type UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { MailRequests } from '#lib/mail/mail-request'
import { digestDay } from './digest.ts'
import type { Notification, NotificationStore } from './notification.ts'
import {
  type Mailed,
  type NotificationName,
  notificationKind,
  notificationsOf,
  type RecipientFinder,
} from './recipients.ts'

type NotifyDeps = {
  notifications: NotificationStore
  mails: MailRequests
  now: Clock
  newId: NewId
}

/**
 * Notifies the recipients of an event. Repeated calls for one event leave one notification and one mail for each person.
 * If one cannot be notified, throws that error once the others are. Preferences and words are read when the mail is sent.
 */
export async function notify(
  deps: NotifyDeps & { finder: RecipientFinder },
  event: DomainEvent,
): Promise<{ notified: number }> {
  const found = new Map<UserId, NotificationName>()
  for (const name of notificationsOf(event)) {
    for (const userId of await notificationKind(name).recipients(event, deps.finder)) {
      if (userId !== null && !found.has(userId)) found.set(userId, name)
    }
  }
  // The customers of a taken listing may be many.
  await inParallel([...found], ([userId, name]) => notifyPerson(deps, event, userId, name))
  return { notified: found.size }
}

/** Notifies one person of an event, and has it mailed; repeated, it changes nothing. */
const notifyPerson = (
  deps: NotifyDeps,
  event: DomainEvent,
  userId: UserId,
  name: NotificationName,
): Promise<void> =>
  retryConflicts(async () => {
    await addUnlessGiven(deps, event, userId, name, event.id)
  })

export type NotifyOfNewestDeps = NotifyDeps & { notifications: NotificationStore }

/**
 * Notifies one person of an event that shares a notification with others. `first` is the first of these events. The
 * notification shows the newest of them, and is mailed again if its mail was sent. A repeated or late call changes nothing.
 */
export const notifyPersonOfNewest = (
  deps: NotifyOfNewestDeps,
  event: DomainEvent,
  userId: UserId,
  name: NotificationName,
  first: EventId,
): Promise<void> =>
  retryConflicts(async () => {
    const { notifications } = deps
    const given = await addUnlessGiven(deps, event, userId, name, first)
    if (given === undefined || event.id === first) return
    const shown = await notifications.get(userId, given)
    if (!shown || shown.event.id === event.id || shown.event.at > event.at) return
    await notifications.commit([
      notifications.showEvent(shown, event),
      ...(await mailWrites(deps, { ...shown, event }, name)),
    ])
  })

/**
 * Adds a notification and has it mailed, unless the account is deleted or `first` has its notification already. Returns the
 * id of that one.
 */
async function addUnlessGiven(
  deps: NotifyDeps,
  event: DomainEvent,
  userId: UserId,
  name: NotificationName,
  first: EventId,
): Promise<NotificationId | undefined> {
  const { notifications, now, newId } = deps
  const { closed } = await notifications.state(userId)
  const isAccountDeleted = closed > 0
  if (isAccountDeleted) return undefined
  const given = await notifications.notificationOf(userId, first)
  if (given !== undefined) return given
  const notification = { id: newId('notification'), userId, name, event }
  await notifications.commit([
    ...notifications.add(notification, first, now()),
    ...(await mailWrites(deps, notification, name)),
  ])
  return undefined
}

/** Returns the writes that have a notification mailed: at once, with those of its day, or not at all. */
async function mailWrites(
  { notifications, mails, now, newId }: NotifyDeps,
  { id, userId, event }: Notification,
  name: NotificationName,
): Promise<Write[]> {
  const { mailed, isMailedDaily } = notificationKind(name)
  if (mailed === 'never') return []
  if (isMailedDaily) return [notifications.addToDigest(userId, id, digestDay(now()))]
  const claim = await enquiryMail(notifications, event, userId, mailed, now())
  if (claim === 'sent') return []
  const request = { id: newId('mail'), at: timestamp(now()), userId, notificationId: id, name }
  return [mails.request(request), ...claim]
}

/**
 * Returns the write that claims the one mail an hour of an enquiry's side; `sent` if the mail of this hour was sent. Other
 * mails have no such limit, and no write.
 */
async function enquiryMail(
  notifications: NotificationStore,
  { subject }: DomainEvent,
  userId: UserId,
  mailed: Mailed,
  now: Date,
): Promise<Write[] | 'sent'> {
  const enquiry = EnquiryId.safeParse(subject)
  if (mailed !== 'enquiries' || !enquiry.success) return []
  if (await notifications.isMailed(userId, enquiry.data, now)) return 'sent'
  return [notifications.claimMail(userId, enquiry.data, now)]
}
