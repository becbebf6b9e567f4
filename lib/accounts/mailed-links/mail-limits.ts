import { emailKeyOf } from '#lib/accounts/account'
import { countedOf, SLOTS, slotOf } from '#lib/accounts/throttle/counters'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import type { Clock } from '#lib/kernel/clock'
import type { LinkRequest } from '#lib/mail/mail-request'

const HOUR_SECONDS = 60 * 60
/** Mails of a kind that one address is sent in an hour. */
const SENT_MAX = 5
/** Mails that one network may ask for in an hour, whomever they are for. */
const ASKED_MAX = 10
/** A reset is sent at least this often, whatever others ask for. */
const RESET_EVERY_SECONDS = 15 * 60

type Deps = { throttle: Throttle; now: Clock }

const mailsTo = ({ purpose, email }: LinkRequest) => ({
  subject: `mail\n${purpose}\n${emailKeyOf(email)}`,
  windowSeconds: HOUR_SECONDS,
})

/**
 * Counts a requested mail as sent if it may be: five of a kind an hour to one address, and a reset at least every 15
 * minutes. Only mails that may be sent count, so that nobody can use up another person's. Of many at once, those being
 * decided count too. A network that asks for more than ten an hour gets none.
 */
export async function countIfAllowed({ throttle, now }: Deps, request: LinkRequest): Promise<boolean> {
  const { counters, addressFactor } = throttle
  const at = now()
  if (request.network !== null) {
    const asked = { subject: `mail-network\n${request.network}`, windowSeconds: HOUR_SECONDS }
    const tally = await counters.add(asked, at, { counted: 1 })
    if (countedOf(tally) > ASKED_MAX * addressFactor) return false
  }
  const sent = mailsTo(request)
  const tally = await counters.add(sent, at, { pending: 1 })
  const newest = tally.counted.at(-1)?.slot ?? 0
  const slots = (RESET_EVERY_SECONDS * SLOTS) / HOUR_SECONDS
  const isOverdue = request.purpose === 'password-reset' && slotOf(sent, at) - newest >= slots
  const isAllowed = (isOverdue ? 0 : countedOf(tally)) + tally.pending <= SENT_MAX
  await counters.settle(sent, at, { pending: -1, ...(isAllowed && { counted: 1 }) })
  return isAllowed
}
