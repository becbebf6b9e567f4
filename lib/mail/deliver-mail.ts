import { type Clock, HOUR_SECONDS, secondsAfter, timestamp, waitedSeconds } from '#lib/kernel/clock'
import type { MailId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import type { Sleep } from '#lib/kernel/retry'
import { WriteConflict } from '#lib/kernel/write'
import { errorText } from './error-text.ts'
import {
  isHeld,
  kindOfMail,
  type MailQueue,
  type MailRequest,
  type QueuedMail,
  tryingSeconds,
} from './mail-request.ts'
import { type Mail, type Mailer, MailRefused, type SendingRate } from './mailer.ts'
import { type SuppressionList, suppressionError } from './suppression.ts'

/**
 * Writes the mail of a request; null where it is no longer wanted. A repeated call writes the same mail. `attempts` have
 * failed before.
 */
export type WriteMail = (request: MailRequest, attempts: number) => Promise<Mail | null>

type Deps = {
  mails: MailQueue
  write: WriteMail
  mailer: Mailer
  suppressions: SuppressionList
  now: Clock
  countFailure: (what: 'MailFailed' | 'MailGivenUp' | 'MailSuppressed', kind: string, cause: string) => void
  measure: (what: 'OldestDueMail' | 'MailDelay', seconds: number) => void
}

/** The time for which one sender has a mail to itself. After that the sender has failed, and the mail is due again. */
const CLAIM_SECONDS = 2 * 60
/** The pause before the second attempt; each further one is three times as long. */
const FIRST_PAUSE_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 6 * HOUR_SECONDS

/**
 * Sends a requested mail once, however often this is called: a mail that another sender holds, or that is not due yet,
 * is left alone. A failure is stored and the mail tried again after a pause, for as long as `tryingSeconds` says. A
 * permanently refused mail waits for an administrator, and so does one to a suppressed address. A mail that no sender
 * has tried in `tryingSeconds` is dropped, unless an administrator asked for it (`isManual`), which also lifts the
 * suppression.
 */
export async function deliverMail(
  deps: Deps,
  id: MailId,
  { isManual = false }: { isManual?: boolean } = {},
): Promise<Delivered> {
  const { mails, write, now } = deps
  const seen = await mails.get(id)
  if (!seen) return 'gone'
  if (seen.progress.doneAt !== null || isHeld(seen.progress, now())) return 'skipped'
  const claimed = await claim(deps, seen)
  if (!claimed) return 'skipped'

  let mail: Mail | null = null
  try {
    mail = isManual || !isLate(seen, now()) ? await write(claimed.request, seen.progress.attempts) : null
    if (mail) await handOver(deps, mail, id, { isManual })
  } catch (error) {
    const change = progressAfterFailure(claimed, error, mail, now())
    await store(deps, claimed, change)
    deps.countFailure(failureOf(error, change.dueAt), kindOfMail(claimed.request), change.error ?? '')
    return 'failed'
  }
  await store(deps, claimed, { dueAt: null, isClaimed: false, doneAt: timestamp(now()) })
  if (mail && !isManual) deps.measure('MailDelay', waitedSeconds(seen.request.at, now()))
  return mail ? 'sent' : 'unwanted'
}

/**
 * Hands a mail over, unless its address is suppressed. A mail that an administrator asked for lifts the suppression.
 */
async function handOver(
  { mails, mailer, suppressions }: Deps,
  mail: Mail,
  id: MailId,
  { isManual }: { isManual: boolean },
): Promise<void> {
  const suppression = await suppressions.get(mail.to)
  if (suppression && !isManual) throw new AddressSuppressed(suppressionError(suppression))
  if (suppression) await mails.commit([suppressions.lift(mail.to)])
  await mailer.send(mail, id)
}

const failureOf = (error: unknown, dueAt: string | null) => {
  if (error instanceof AddressSuppressed) return 'MailSuppressed'
  return dueAt === null ? 'MailGivenUp' : 'MailFailed'
}

/** A mail that is not sent, since its address is suppressed. */
class AddressSuppressed extends Error {
  override readonly name = 'AddressSuppressed'
}

type Delivered = 'sent' | 'unwanted' | 'failed' | 'skipped' | 'gone'

/** Whether a mail has waited for its first attempt as long as a mail may be tried. */
const isLate = ({ request, progress }: QueuedMail, now: Date): boolean =>
  progress.attempts === 0 && now > secondsAfter(new Date(request.at), tryingSeconds(request))

type DueDeps = Deps & { mails: MailQueue; sendingRate: SendingRate; sleep: Sleep }

/**
 * Sends mails whose next attempt is due. Goes on for 40 seconds, at half the allowed rate: the other half is for new
 * mails. Each second takes links first, then other mails, of each sort the longest due. A failing mail does not delay
 * the others.
 */
export async function deliverDueMails(deps: DueDeps): Promise<{ tried: number }> {
  const startedAt = deps.now()
  const endsAt = secondsAfter(startedAt, RUN_SECONDS)
  const mailsASecond = Math.max(1, Math.floor((await deps.sendingRate()) / 2))
  // The longest due of each sort: at most one link and one other mail.
  const oldest = await deps.mails.due(timestamp(startedAt), 1)
  deps.measure('OldestDueMail', waitedSeconds(oldest.map(({ dueAt }) => dueAt).sort()[0], startedAt))
  const tried = new Set<MailId>()
  for (;;) {
    // `due` returns up to `mailsASecond` links, then as many other mails: the first `mailsASecond` are sent.
    const due = await deps.mails.due(timestamp(startedAt), mailsASecond)
    const next = due.slice(0, mailsASecond).filter(({ id }) => !tried.has(id))
    if (next.length === 0 || deps.now() >= endsAt) return { tried: tried.size }
    for (const { id } of next) tried.add(id)
    await inParallel(next, (entry) => deliverDue(deps, entry), { width: WIDTH })
    await deps.sleep(SECOND_MILLISECONDS)
  }
}

/** Sends a mail that is due. An entry whose mail has expired is removed: it would stay the longest due. */
async function deliverDue(deps: DueDeps, entry: { id: MailId; dueAt: string }): Promise<void> {
  const delivered = await deliverMail(deps, entry.id)
  if (delivered === 'gone') await deps.mails.commit(deps.mails.removeDue(entry))
}

/** A run of the schedule ends before the next begins, with time for the mails that a slow server still has. */
const RUN_SECONDS = 40
const SECOND_MILLISECONDS = 1_000
/** The mails that are sent at once. */
const WIDTH = 25

/** Claims a mail for one sender. Returns undefined if another sender was faster. */
async function claim(deps: Deps, seen: QueuedMail): Promise<QueuedMail | undefined> {
  const dueAt = timestamp(secondsAfter(deps.now(), CLAIM_SECONDS))
  try {
    return await store(deps, seen, { dueAt, isClaimed: true })
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

function progressAfterFailure(
  { request, progress }: QueuedMail,
  error: unknown,
  mail: Mail | null,
  now: Date,
): Omit<QueuedMail['progress'], 'doneAt'> {
  const attempts = progress.attempts + 1
  const pause = Math.min(FIRST_PAUSE_SECONDS * 3 ** (attempts - 1), LONGEST_PAUSE_SECONDS)
  const dueAt = secondsAfter(now, pause)
  const isOver =
    error instanceof MailRefused ||
    error instanceof AddressSuppressed ||
    dueAt > secondsAfter(new Date(request.at), tryingSeconds(request))
  return {
    attempts,
    error: errorText(error, mail?.to),
    dueAt: isOver ? null : timestamp(dueAt),
    isClaimed: false,
  }
}
