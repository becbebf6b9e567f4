import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { NotificationId, timeOfId, type UserId } from '#lib/kernel/id'
import type { Locale } from '#lib/kernel/locale'
import { answerPage, PageQuery, pageOf } from '#lib/kernel/page'
import { composeNotification } from './compose.ts'
import { type LookUpFactsDeps, lookUpFacts, type Readable } from './look-up-facts.ts'
import {
  type NotificationReader,
  type NotificationState,
  oldestReadable,
  readAtOf,
  readUpTo,
  UNREAD_MAX,
} from './notification.ts'

export const NotificationsQuery = PageQuery.extend({ unread: z.enum(['true', 'false']).optional() })

const NotificationView = z
  .object({
    id: NotificationId,
    type: z.string().meta({ description: 'The type of the event', example: 'listing.status_changed' }),
    subject: z.string().meta({
      description: 'The id of what it is about',
      example: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    }),
    title: z.string().meta({ example: 'Your listing is published' }),
    text: z.string().meta({
      description: 'May hold several lines',
      example: 'Customers can find “Three-bedroom apartment in Cocody” now.',
    }),
    at: Timestamp,
    readAt: Timestamp.nullable(),
  })
  .meta({ id: 'Notification' })

export const NotificationsPage = pageOf(NotificationView).extend({
  unreadCount: z.int().min(0).max(UNREAD_MAX).meta({ description: 'Counts to 100' }),
})

type Deps = LookUpFactsDeps & {
  notifications: NotificationReader
  cursors: Cursors
  now: Clock
}

/** Lists a person's notifications of the last 90 days in their language, newest first: one query a page. */
export async function listNotifications(
  deps: Deps,
  reader: Pick<Account, 'id' | 'locale' | 'takenBackAt'>,
  { limit, cursor, unread }: z.infer<typeof NotificationsQuery>,
): Promise<z.infer<typeof NotificationsPage>> {
  const { notifications, cursors, now } = deps
  const state = await notifications.state(reader.id)
  const oldest = oldestReadable(reader, now())
  const list = {
    list: `notifications of ${reader.id}`,
    filters: { unread: unread === 'true' },
    position: NotificationId,
  }
  const newerThan = unread === 'true' ? readUpTo(state) : undefined
  const page = await answerPage(cursors, list, cursor, async (after) => {
    const { items, next } = await notifications.list(reader.id, { limit, after, newerThan, oldest })
    return { items: await lookUpFacts(deps, items), next }
  })
  return {
    items: page.items.map((item) => view(item, reader.locale, state)),
    nextCursor: page.nextCursor,
    unreadCount: await unreadCount(deps, reader.id, state, oldest),
  }
}

const view = ({ notification, facts }: Readable, locale: Locale, state: NotificationState) => ({
  id: notification.id,
  type: notification.event.type,
  subject: notification.event.subject,
  ...composeNotification(locale, facts),
  at: notification.event.at,
  readAt: readAtOf(state, notification),
})

/** Returns the stored count, or counts again if unread notifications may have aged out: those after an old mark. */
async function unreadCount(
  { notifications }: Deps,
  userId: UserId,
  state: NotificationState,
  oldest: Timestamp,
): Promise<number> {
  const upTo = readUpTo(state)
  // A mark may be young and end at an old notification.
  const isMarkOld = upTo === undefined || timeOfId(upTo) < Date.parse(oldest)
  const mayHaveAgedOut = state.unread > 0 && isMarkOld
  if (!mayHaveAgedOut) return Math.min(state.unread, UNREAD_MAX)
  const unread = { limit: UNREAD_MAX, after: undefined, newerThan: upTo, oldest }
  return (await notifications.list(userId, unread)).items.length
}
