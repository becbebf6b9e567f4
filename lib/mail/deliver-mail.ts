import { type Clock, secondsAfter, timestamp, waitedSeconds } from '#lib/kernel/clock'
import type { MailId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import { errorText } from './error-text.ts'
import {
  kindOfMail,
  type MailQueue,
  type MailRequest,
  type QueuedMail,
  tryingSeconds,
} from './mail-request.ts'
import { type Mail, type Mailer, MailRefused } from './mailer.ts'
import { type SuppressionList, suppressionError } from './suppression.ts'

/** The result of a request: a mail, or null where it is no longer wanted. Done again, it is the same mail. */
export type WriteMail = (request: MailRequest) => Promise<Mail | null>

type Deps = {
  mails: MailQueue
  write: WriteMail
  mailer: Mailer
  suppressions: SuppressionList
  now: Clock
  countFailure: (what: 'MailFailed' | 'MailGivenUp' | 'MailSuppressed', kind: string, cause: string) => void
  measure: (what: 'OldestDueMail' | 'MailDelay', seconds: number) => void
}

/** For this long one sender has a mail to itself; after that the sender has failed and the mail is due again. */
const CLAIM_SECONDS = 2 * 60
/** The pause before the second attempt; each further one is three times as long. */
const FIRST_PAUSE_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 6 * 60 * 60

/**
 * Sends a requested mail once, however often this is called: a mail that another sender holds, or that is not due yet,
 * is left alone. A failure is stored and the mail tried again after a pause, for as long as `tryingSeconds` says. A
 * permanently refused mail waits for an administrator, and so does one to a suppressed address. A mail that no sender has
 * begun in that time is dropped, unless an administrator asks for it (`again`), which also lifts the suppression.
 */
export async function deliverMail(deps: Deps, id: MailId, again = false): Promise<Delivered> {
  const { mails, write, now } = deps
  const seen = await mails.get(id)
  if (!seen || seen.progress.doneAt !== null || isHeld(seen, now())) return 'left'
  const claimed = await claim(deps, seen)
  if (!claimed) return 'left'

  let mail: Mail | null = null
  try {
    mail = again || !isLate(seen, now()) ? await write(claimed.request) : null
    if (mail) await handOver(deps, mail, id, again)
  } catch (error) {
    const change = failed(claimed, error, mail, now())
    await store(deps, claimed, change)
    deps.countFailure(failureOf(error, change.dueAt), kindOfMail(claimed.request), change.error ?? '')
    return 'failed'
  }
  await store(deps, claimed, { dueAt: null, doneAt: timestamp(now()) })
  if (mail && !again) deps.measure('MailDelay', waitedSeconds(seen.request.at, now()))
  return mail ? 'sent' : 'unwanted'
}

/** Hands a mail over, unless its address is suppressed. A link that an administrator asks for lifts the suppression. */
async function handOver(
  { mails, mailer, suppressions }: Deps,
  mail: Mail,
  id: MailId,
  again: boolean,
): Promise<void> {
  const suppression = await suppressions.get(mail.to)
  if (suppression && !again) throw new AddressSuppressed(suppressionError(suppression))
  if (suppression) await mails.commit([suppressions.lift(mail.to)])
  await mailer.send(mail, id)
}

const failureOf = (error: unknown, dueAt: string | null | undefined) => {
  if (error instanceof AddressSuppressed) return 'MailSuppressed'
  return dueAt === null ? 'MailGivenUp' : 'MailFailed'
}

/** A mail that is not sent, since its address is suppressed. */
class AddressSuppressed extends Error {
  override readonly name = 'AddressSuppressed'
}

type Delivered = 'sent' | 'unwanted' | 'failed' | 'left'

const isHeld = ({ progress: { dueAt } }: QueuedMail, now: Date): boolean =>
  dueAt !== null && dueAt > timestamp(now)

const isLate = ({ request, progress }: QueuedMail, now: Date): boolean =>
  progress.attempts === 0 && now > secondsAfter(new Date(request.at), tryingSeconds(request))

/** Sends the mails that are due again, links before the others. One mail that fails keeps no other back. */
export async function deliverDueMails(deps: Deps): Promise<{ tried: number }> {
  const now = deps.now()
  const due = await deps.mails.due(timestamp(now), DUE_MAX)
  deps.measure('OldestDueMail', waitedSeconds(due.map(({ dueAt }) => dueAt).sort()[0], now))
  const tried = due.slice(0, DUE_MAX)
  await inParallel(tried, ({ id }) => deliverMail(deps, id), { width: WIDTH })
  return { tried: tried.length }
}

const DUE_MAX = 100
const WIDTH = 5

/** Takes a mail for one sender; undefined where another was faster. */
async function claim(deps: Deps, seen: QueuedMail): Promise<QueuedMail | undefined> {
  const dueAt = timestamp(secondsAfter(deps.now(), CLAIM_SECONDS))
  try {
    return await store(deps, seen, { dueAt })
  } catch (error) {
    if (error instanceof WriteConflict) return undefined
    throw error
  }
}

async function store(
  { mails, now }: Deps,
  seen: QueuedMail,
  change: Partial<QueuedMail['progress']>,
): Promise<QueuedMail> {
  const progress = { ...seen.progress, ...change }
  await mails.commit(mails.progress(seen, progress, now()))
  return { ...seen, progress }
}

function failed(
  { request, progress }: QueuedMail,
  error: unknown,
  mail: Mail | null,
  now: Date,
): Partial<QueuedMail['progress']> {
  const attempts = progress.attempts + 1
  const pause = Math.min(FIRST_PAUSE_SECONDS * 3 ** (attempts - 1), LONGEST_PAUSE_SECONDS)
  const dueAt = secondsAfter(now, pause)
  const isOver =
    error instanceof MailRefused ||
    error instanceof AddressSuppressed ||
    dueAt > secondsAfter(new Date(request.at), tryingSeconds(request))
  return { attempts, error: errorText(error, mail?.to), dueAt: isOver ? null : timestamp(dueAt) }
}
