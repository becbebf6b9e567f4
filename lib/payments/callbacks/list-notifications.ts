import * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { NotificationId } from '#lib/kernel/id'
import { answerPage, PageQuery } from '#lib/kernel/page'
import { ATTENTION, type Inbox } from './inbox.ts'
import { NotificationStatus } from './notification.ts'
import { notificationView } from './notification-view.ts'

/** Which notifications to show: those that need someone, unless a status or a provider is asked for. */
export const NotificationsQuery = PageQuery.extend({
  status: NotificationStatus.optional(),
  provider: z.string().min(1).max(40).optional(),
})

/** Notifications, newest first, by their status. */
export async function listNotifications(
  { inbox, cursors }: { inbox: Pick<Inbox, 'list'>; cursors: Cursors },
  { limit, cursor, ...filters }: z.infer<typeof NotificationsQuery>,
) {
  const { status, provider } = filters
  const list = { list: 'notifications', filters, position: NotificationId }
  return answerPage(cursors, list, cursor, async (after) => {
    const { items, next } = await inbox.list(status ?? provider ?? ATTENTION, { limit, after })
    const asked = items
      .filter((notification) => status === undefined || notification.status === status)
      .filter((notification) => provider === undefined || notification.provider === provider)
    return { items: asked.map(notificationView), next }
  })
}
