import * as z from 'zod'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import { NotificationId, type UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { MailPreferences } from '#lib/mail/mail-preferences'
import { type NotificationStore, preferencesOf, readAtOf } from './notification.ts'

/** The part of an export that notifications and their preferences make. */
export const ExportedNotifications = z.object({
  mail: MailPreferences,
  items: z.array(
    z.object({
      id: NotificationId,
      type: z.string(),
      subject: z.string(),
      at: Timestamp,
      readAt: Timestamp.nullable(),
    }),
  ),
})

/** Returns everything that is stored of a person's notifications. */
export async function exportNotifications(
  { notifications, now }: { notifications: Pick<NotificationStore, 'state' | 'list'>; now: Clock },
  userId: UserId,
): Promise<z.infer<typeof ExportedNotifications>> {
  const state = await notifications.state(userId)
  const stored = await allPages((after: NotificationId | undefined) =>
    notifications.list(userId, { limit: PAGE_SIZE, after, newerThan: undefined, now: now() }),
  )
  const items = stored.map((notification) => {
    const { type, subject, at } = notification.event
    return { id: notification.id, type, subject, at, readAt: readAtOf(state, notification) }
  })
  return { mail: preferencesOf(state), items }
}
