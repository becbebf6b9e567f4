import { type Clock, timestamp } from '#lib/kernel/clock'
import type { MailId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import type { MailQueue, MailRequest } from './mail-request.ts'
import type { SuppressionList } from './suppression.ts'

/** The number of mails that are dropped at once. */
const WIDTH = 5

type Deps = {
  mails: MailQueue
  suppressions: SuppressionList
  now: Clock
}

/** A person whose account is deleted; `email` in lower case, null where it is not known. */
type Reader = { userId: UserId; email: string | null }

/**
 * Drops a person's mails of which an attempt failed (`unsent` lists these), which erases the address in them. A mail
 * without an attempt is dropped by the job that sends it, which finds no account. Removes a suppression of the address.
 * Safe to repeat.
 */
export async function dropMails({ mails, suppressions, now }: Deps, reader: Reader): Promise<void> {
  if (reader.email !== null) await mails.commit([suppressions.lift(reader.email)])
  const unsent = await allPages((after: string | undefined) => mails.unsent({ limit: PAGE_SIZE, after }))
  const theirs = unsent.filter(({ request }) => isTo(request, reader))
  const drop = (id: MailId) =>
    retryConflicts(async () => {
      const seen = await mails.get(id)
      if (!seen || seen.progress.doneAt !== null) return
      const dropped = { ...seen.progress, dueAt: null, isClaimed: false, doneAt: timestamp(now()) }
      await mails.commit(mails.progress(seen, dropped, now()))
    })
  await inParallel(theirs, ({ request }) => drop(request.id), { width: WIDTH })
}

function isTo(request: MailRequest, { userId, email }: Reader): boolean {
  if (request.userId === userId) return true
  // Only the request for a link, which has a purpose, holds an address.
  return 'purpose' in request && email !== null && request.email.trim().toLowerCase() === email
}
