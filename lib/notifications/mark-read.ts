import * as z from 'zod'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { InboxId, type UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { type Inbox, oldestReadable, readUpTo, UNREAD_MAX } from './notice.ts'

/** Everything up to this notification counts as read. One of a wrong shape is unknown, not invalid. */
export const ReadUpTo = z.object({ upTo: z.string().min(1).max(100) })

/** So many marks are kept: notices before the oldest say that they were read when it was set. */
const MARKS_MAX = 100

/**
 * Moves a person's read mark to a notification. The mark never moves back. Throws `not_found` for a notification that is
 * not theirs, or older than 90 days.
 */
export const markRead = (
  { inbox, now }: { inbox: Inbox; now: Clock },
  userId: UserId,
  { upTo }: z.infer<typeof ReadUpTo>,
): Promise<void> =>
  retryConflicts(async () => {
    const id = InboxId.safeParse(upTo).data
    const notice = id && (await inbox.notice(userId, id))
    const oldest = oldestReadable(now())
    if (!notice || notice.event.at <= oldest) throw new DomainError('not_found')
    const state = await inbox.state(userId)
    if ((readUpTo(state) ?? '') >= notice.id) return
    const newer = { limit: UNREAD_MAX, after: undefined, newerThan: notice.id, now: now() }
    const { items } = await inbox.notices(userId, newer)
    const marks = [...state.marks.filter(({ at }) => at > oldest), { upTo: notice.id, at: timestamp(now()) }]
    const next = { unread: items.length, marks: marks.slice(-MARKS_MAX) }
    await inbox.commit([inbox.markRead(userId, state, next)])
  })
