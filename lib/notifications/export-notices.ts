import * as z from 'zod'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import { InboxId, type UserId } from '#lib/kernel/id'
import { allPages } from '#lib/kernel/page'
import { type Inbox, MailPreferences, preferencesOf, readAtOf } from './notice.ts'

/** What is stored of a person's notifications: which mails they want, and what they were told of. */
export const ExportedNotices = z.object({
  mail: MailPreferences,
  items: z.array(
    z.object({
      id: InboxId,
      type: z.string(),
      subject: z.string(),
      at: Timestamp,
      readAt: Timestamp.nullable(),
    }),
  ),
})

/** Everything that is stored of a person's notifications. */
export async function exportNotices(
  { inbox, now }: { inbox: Pick<Inbox, 'state' | 'notices'>; now: Clock },
  userId: UserId,
): Promise<z.infer<typeof ExportedNotices>> {
  const state = await inbox.state(userId)
  const notices = await allPages((after: InboxId | undefined) =>
    inbox.notices(userId, { limit: 100, after, newerThan: undefined, now: now() }),
  )
  const items = notices.map((notice) => {
    const { type, subject, at } = notice.event
    return { id: notice.id, type, subject, at, readAt: readAtOf(state, notice) }
  })
  return { mail: preferencesOf(state), items }
}
