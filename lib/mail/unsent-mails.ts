import * as z from 'zod'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { DomainError } from '#lib/kernel/domain-error'
import { MailId, type NewId, UserId } from '#lib/kernel/id'
import type { Once } from '#lib/kernel/once'
import { answerPage, type PageQuery } from '#lib/kernel/page'
import { retryConflicts } from '#lib/kernel/retry'
import {
  isHeld,
  isUnsent,
  kindOfMail,
  type MailQueue,
  type MailReader,
  type QueuedMail,
} from './mail-request.ts'

/** A mail that could not be sent, as administrators see it. */
export const UnsentMail = z
  .object({
    id: MailId,
    kind: z.string().meta({
      description: 'What the mail is, such as `password-reset`',
      example: 'password-reset',
    }),
    userId: UserId.nullable().meta({ description: 'Null for a link, which was asked for by an address' }),
    error: z.string().nullable(),
    attempts: z.int().meta({ example: 3 }),
    at: Timestamp.meta({ description: 'When it was asked for' }),
  })
  .meta({ id: 'UnsentMail' })

const view = ({ request, progress }: QueuedMail): z.infer<typeof UnsentMail> => ({
  id: request.id,
  kind: kindOfMail(request),
  userId: 'userId' in request ? request.userId : null,
  error: progress.error,
  attempts: progress.attempts,
  at: request.at,
})

/** Lists unsent mails, including those that are tried again, newest first. */
export const listUnsentMails = (
  { mails, cursors }: { mails: MailReader; cursors: Cursors },
  { limit, cursor }: z.infer<typeof PageQuery>,
) =>
  answerPage(cursors, { list: 'unsent mails', filters: {}, position: z.string() }, cursor, async (after) => {
    const { items, next } = await mails.unsent({ limit, after })
    return { items: items.map(view), next }
  })

/**
 * Sends an unsent mail once more, at once and at any age. A mail that a sender has at that moment is left to it: it would
 * be sent twice. Throws `not_found` for any other mail.
 */
export const sendMailAgain = (
  {
    mails,
    journal,
    now,
    newId,
    once,
  }: {
    once: Once<undefined>
    mails: MailQueue
    journal: Journal
    now: Clock
    newId: NewId
  },
  administrator: string,
  id: MailId,
): Promise<void> =>
  retryConflicts(async () => {
    const mail = await mails.get(id)
    if (!mail || !isUnsent(mail.progress)) throw new DomainError('not_found')
    if (mail.progress.isClaimed && isHeld(mail.progress, now())) return mails.commit(once.receipt(undefined))
    const details = { kind: kindOfMail(mail.request), attempts: mail.progress.attempts }
    await mails.commit([
      // Without `dueAt` no regular attempt follows: the mail is sent by `sendAgain`.
      ...mails.progress(mail, { ...mail.progress, dueAt: null }, now()),
      mails.sendAgain(id, now()),
      ...once.receipt(undefined),
      journal.record(
        newAction(newId, { by: administrator, subject: id, action: 'mail.sent_again', details }),
      ),
    ])
  })
