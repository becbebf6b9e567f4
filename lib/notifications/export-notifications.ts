import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import { NotificationId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { MailPreferences } from '#lib/mail/mail-preferences'
import { type NotificationReader, oldestReadable, preferencesOf, readAtOf } from './notification.ts'

/** The part of an export that notifications and their preferences make. */
export const ExportedNotifications = z.object({
  mail: MailPreferences,
  items: z.array(
    z.object({
      id: NotificationId,
      type: z.string().meta({ example: 'listing.status_changed' }),
      subject: z.string().meta({ example: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
      at: Timestamp,
      readAt: Timestamp.nullable(),
    }),
  ),
})

/** Returns everything that a person can read of their notifications. */
export async function exportNotifications(
  { notifications, now }: { notifications: NotificationReader; now: Clock },
  account: Pick<Account, 'id' | 'takenBackAt'>,
): Promise<z.infer<typeof ExportedNotifications>> {
  const state = await notifications.state(account.id)
  const oldest = oldestReadable(account, now())
  const stored = await allPages((after: NotificationId | undefined) =>
    notifications.list(account.id, { limit: PAGE_SIZE, after, newerThan: undefined, oldest }),
  )
  const items = stored.map((notification) => {
    const { type, subject, at } = notification.event
    return { id: notification.id, type, subject, at, readAt: readAtOf(state, notification) }
  })
  return { mail: preferencesOf(state), items }
}
