import { emailKeyOf } from '#lib/accounts/account'
import { type Counted, countedOf, SLOTS, secondsUntilBelow, slotOf } from '#lib/accounts/throttle/counters'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { type Clock, HOUR_SECONDS, MINUTE_SECONDS } from '#lib/kernel/clock'
import { type DomainError, tooManyRequests } from '#lib/kernel/domain-error'
import type { LinkRequest } from '#lib/mail/mail-request'

/** Mails of a kind that one e-mail address is sent in an hour. */
const SENT_MAX = 5
/** A reset is sent at least this often, even if others use up the limit. */
const RESET_EVERY_SECONDS = 15 * MINUTE_SECONDS

type Deps = { throttle: Throttle; now: Clock }

/** Whether a mail may be sent. `refusal` is the error for callers who may learn of the limit. */
type MailAllowance = { isAllowed: true } | { isAllowed: false; refusal: DomainError }

const mailsTo = (purpose: LinkRequest['purpose'], email: string): Counted => ({
  subject: `mail\n${purpose}\n${emailKeyOf(email)}`,
  windowSeconds: HOUR_SECONDS,
})

/** Whether one mail more of a kind may be sent to an address now. Counts nothing. */
export const isMailAllowed = async (
  { throttle, now }: Deps,
  purpose: LinkRequest['purpose'],
  email: string,
): Promise<boolean> => countedOf(await throttle.counters.add(mailsTo(purpose, email), now(), {})) < SENT_MAX

/**
 * Counts a mail as sent if the limits allow it: five of a kind an hour to one address, and a reset at least every 15
 * minutes. A refused mail does not count: requests beyond a limit do not prolong it. Undecided mails count, so that
 * simultaneous requests stay within the limits.
 */
export async function countMail(
  { throttle: { counters }, now }: Deps,
  purpose: LinkRequest['purpose'],
  email: string,
): Promise<MailAllowance> {
  const at = now()
  const sent = mailsTo(purpose, email)
  const tally = await counters.add(sent, at, { pending: 1 })
  // Slot 0 is in 1970: without a counted mail a reset is overdue.
  const newestSlot = tally.counted.at(-1)?.slot ?? 0
  const resetEverySlots = (RESET_EVERY_SECONDS * SLOTS) / HOUR_SECONDS
  const isOverdue = purpose === 'password-reset' && slotOf(sent, at) - newestSlot >= resetEverySlots
  // An overdue reset may exceed the limit: the mails sent before it do not count, only simultaneous ones.
  const sentBefore = isOverdue ? 0 : countedOf(tally)
  // `pending` includes this mail.
  const isAllowed = sentBefore + tally.pending <= SENT_MAX
  await counters.settle(sent, at, { pending: -1, ...(isAllowed && { counted: 1 }) })
  return isAllowed ? { isAllowed } : refused(purpose, secondsUntilBelow(sent, tally, SENT_MAX, at))
}

const refused = (policy: string, seconds: number): MailAllowance => ({
  isAllowed: false,
  refusal: tooManyRequests(
    { policy, limit: SENT_MAX, windowSeconds: HOUR_SECONDS },
    seconds,
    `The limit is ${SENT_MAX} mails an hour; try again in ${seconds} seconds`,
  ),
})
