import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { NotificationId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { type NotificationStore, oldestReadable, readUpTo, UNREAD_MAX } from './notification.ts'

/** The id of the notification up to which all are read. A malformed one is `not_found`, as an unknown one is. */
export const ReadUpTo = z.object({
  upTo: z.string().min(1).max(100).meta({ example: 'ntf_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
})

/** The number of marks that are kept. A notification read before the oldest of them shows that mark's time. */
const MARKS_MAX = 100

/**
 * Moves a person's read mark to a notification. The mark never moves back. Throws `not_found` for a notification that is
 * not theirs, or too old to be read.
 */
export const markRead = (
  { notifications, now }: { notifications: NotificationStore; now: Clock },
  reader: Pick<Account, 'id' | 'takenBackAt'>,
  { upTo }: z.infer<typeof ReadUpTo>,
): Promise<void> =>
  retryConflicts(async () => {
    const { id: userId } = reader
    const id = NotificationId.safeParse(upTo).data
    // Read at the same time as the notification.
    const stored = beginAhead(notifications.state(userId))
    const notification = id && (await notifications.get(userId, id))
    const oldest = oldestReadable(reader, now())
    if (!notification || notification.event.at < oldest) throw new DomainError('not_found')
    const state = await stored
    if ((readUpTo(state) ?? '') >= notification.id) return
    // Read to be counted: the unread count stops at `UNREAD_MAX`.
    const newer = { limit: UNREAD_MAX, after: undefined, newerThan: notification.id, oldest }
    const { items } = await notifications.list(userId, newer)
    const marks = [
      ...state.marks.filter(({ at }) => at >= oldest),
      { upTo: notification.id, at: timestamp(now()) },
    ]
    const next = { unread: items.length, marks: marks.slice(-MARKS_MAX) }
    await notifications.commit([notifications.markRead(userId, state, next)])
  })
