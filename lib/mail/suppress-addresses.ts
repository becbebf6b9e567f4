import type { Clock } from '#lib/kernel/clock'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import { errorText } from './error-text.ts'
import type { MailEvent } from './mail-event.ts'
import type { MailQueue, QueuedMail } from './mail-request.ts'
import type { SuppressionList } from './suppression.ts'

type Deps = {
  mails: Pick<MailQueue, 'get' | 'progress' | 'commit'>
  suppressions: Pick<SuppressionList, 'add'>
  now: Clock
}

/**
 * Suppresses the addresses of a mail that bounced permanently or was complained of, and lists a bounced mail among the
 * unsent. Throws while its sender still holds the mail. A bounce that is reported twice changes nothing.
 */
export const suppressAddresses = (deps: Deps, event: MailEvent): Promise<{ suppressed: number }> =>
  retryConflicts(async () => {
    const { mails, suppressions } = deps
    const { kind: reason, isPermanent, id, addresses, at } = event
    const sent = reason === 'bounced' && id ? await mails.get(id) : undefined
    if (sent && sent.progress.doneAt === null) {
      // An earlier report of this bounce may have made the mail an unsent one.
      const isListedAsUnsent = sent.progress.dueAt === null && sent.progress.attempts > 0
      if (isListedAsUnsent) return { suppressed: 0 }
      throw new Error(`The sender of ${id} still holds it`)
    }
    const suppressed = isPermanent ? addresses : []
    await mails.commit([
      ...suppressed.map((address) => suppressions.add(address, { reason, at })),
      ...(sent ? listAsUnsent(deps, sent, event) : []),
    ])
    return { suppressed: suppressed.length }
  })

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
  return mails.progress({ ...seen, request }, { attempts, error, dueAt: null, doneAt: null }, now())
}
