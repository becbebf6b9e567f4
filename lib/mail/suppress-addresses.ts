import type { Clock } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import { errorText } from './error-text.ts'
import type { MailEvent } from './mail-event.ts'
import { isUnsent, type MailQueue, type QueuedMail } from './mail-request.ts'
import type { SuppressionList } from './suppression.ts'

type Deps = {
  mails: MailQueue
  suppressions: SuppressionList
  accounts: {
    get: (id: UserId) => Promise<unknown>
    byEmail: (email: string) => Promise<unknown>
  }
  now: Clock
}

/**
 * Suppresses the addresses of a mail that bounced permanently or was complained of, and lists a bounced mail among the
 * unsent. Throws while its sender still holds the mail. A bounce that is reported twice changes nothing. Nor does a report
 * about a mail whose reader's account has ended: the erasure of the account would not find the address any more.
 */
export const suppressAddresses = (deps: Deps, event: MailEvent): Promise<{ suppressed: number }> =>
  retryConflicts(async () => {
    const { mails, suppressions } = deps
    const { kind: reason, isPermanent, id, addresses, at } = event
    const reportedOn = id ? await mails.get(id) : undefined
    const sent = reason === 'bounced' ? reportedOn : undefined
    if (sent && isListedAsUnsent(sent)) return { suppressed: 0 }
    if (await isReaderGone(deps, reportedOn, addresses)) return { suppressed: 0 }
    const suppressed = isPermanent ? addresses : []
    await mails.commit([
      ...suppressed.map((address) => suppressions.add(address, { reason, at })),
      ...(sent ? listAsUnsent(deps, sent, event) : []),
    ])
    return { suppressed: suppressed.length }
  })

/** Whether an earlier report of a bounce has made the mail an unsent one. Throws while its sender still holds it. */
function isListedAsUnsent({ request, progress }: QueuedMail): boolean {
  if (progress.doneAt !== null) return false
  if (progress.dueAt === null && isUnsent(progress)) return true
  throw new Error(`The sender of ${request.id} still holds it`)
}

/** Whether the account that a mail was about has ended. A link that was asked for by an address is about its account. */
async function isReaderGone(
  { accounts }: Deps,
  mail: QueuedMail | undefined,
  [address = '']: readonly string[],
): Promise<boolean> {
  if (!mail) return false
  const { userId } = mail.request
  const account = userId === null ? await accounts.byEmail(address) : await accounts.get(userId)
  return account === undefined
}

/** Makes a bounced mail an unsent one. A sent mail no longer holds its address, so the bounced address is stored again. */
function listAsUnsent(
  { mails, now }: Deps,
  seen: QueuedMail,
  { addresses: [email = ''], cause }: MailEvent,
): Write[] {
  // Only the request of a link names an address; any other mail goes to its account's.
  const request = 'purpose' in seen.request ? { ...seen.request, email } : seen.request
  // The bounce counts as a failed attempt: a mail is unsent only with one.
  const attempts = seen.progress.attempts + 1
  const error = errorText(`Bounced: ${cause}`, email)
  return mails.progress(
    { ...seen, request },
    { attempts, error, dueAt: null, isClaimed: false, doneAt: null },
    now(),
  )
}
