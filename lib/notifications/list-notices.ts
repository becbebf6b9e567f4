import * as z from 'zod'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { InboxId, type UserId } from '#lib/kernel/id'
import type { Locale } from '#lib/kernel/locale'
import { answerPage, PageQuery, pageOf } from '#lib/kernel/page'
import { wordsOf } from './compose.ts'
import { type LookUpDeps, lookUp, type Readable } from './look-up.ts'
import { type Inbox, type InboxState, oldestReadable, readAtOf, readUpTo, UNREAD_MAX } from './notice.ts'

/** Which of their notifications a person wants to see. */
export const NoticesQuery = PageQuery.extend({ unread: z.enum(['true', 'false']).optional() })

/** A notification in words. */
export const NoticeView = z
  .object({
    id: InboxId,
    type: z.string().meta({ description: 'The type of the event', example: 'listing.status_changed' }),
    subject: z.string().meta({ description: 'The id of what it is about' }),
    title: z.string(),
    text: z.string().meta({ description: 'May hold several lines' }),
    at: Timestamp,
    readAt: Timestamp.nullable(),
  })
  .meta({ id: 'Notice' })

/** A page of notifications, and how many of all are unread. */
export const NoticesPage = pageOf(NoticeView).extend({
  unreadCount: z.int().min(0).max(UNREAD_MAX).meta({ description: 'Counts to 100' }),
})

type Deps = LookUpDeps & { inbox: Inbox; cursors: Cursors; now: Clock }

/** A person's notifications of the last 90 days, newest first, in words of their language: one query a page. */
export async function listNotices(
  deps: Deps,
  reader: { id: UserId; locale: Locale },
  { limit, cursor, unread }: z.infer<typeof NoticesQuery>,
): Promise<z.infer<typeof NoticesPage>> {
  const { inbox, cursors, now } = deps
  const state = await inbox.state(reader.id)
  const list = {
    list: `notifications of ${reader.id}`,
    filters: { unread: unread === 'true' },
    position: InboxId,
  }
  const newerThan = unread === 'true' ? readUpTo(state) : undefined
  const page = await answerPage(cursors, list, cursor, async (after) => {
    const { items, next } = await inbox.notices(reader.id, { limit, after, newerThan, now: now() })
    return { items: await lookUp(deps, items), next }
  })
  return {
    items: page.items.map((item) => view(item, reader.locale, state)),
    nextCursor: page.nextCursor,
    unreadCount: await unreadCount(deps, reader.id, state),
  }
}

const view = ({ notice, matter }: Readable, locale: Locale, state: InboxState) => ({
  id: notice.id,
  type: notice.event.type,
  subject: notice.event.subject,
  ...wordsOf(locale, matter),
  at: notice.event.at,
  readAt: readAtOf(state, notice),
})

/** The stored count, but where unread notices may have aged out since the last mark: then they are counted. */
async function unreadCount({ inbox, now }: Deps, userId: UserId, state: InboxState): Promise<number> {
  const since = state.marks.at(-1)?.at
  const mayHaveAgedOut = state.unread > 0 && (since === undefined || since < oldestReadable(now()))
  if (!mayHaveAgedOut) return Math.min(state.unread, UNREAD_MAX)
  const unread = { limit: UNREAD_MAX, after: undefined, newerThan: readUpTo(state), now: now() }
  return (await inbox.notices(userId, unread)).items.length
}
