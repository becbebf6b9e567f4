import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { chargesOf } from './charge.ts'
import { factsOf } from './fact.ts'
import { isPaid, type Known, type PaymentStatus } from './payment-status.ts'
import { refundsOf } from './refunds/refund.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
const DAY_SECONDS = 24 * HOUR_SECONDS
const FIRST_SECONDS = 10 * MINUTE_SECONDS
const LONGEST_SECONDS = 6 * HOUR_SECONDS
/** How long a page without a known end is taken to be payable. */
const PAGE_DAYS = 90
/** When a payment that has succeeded is read again, so that a lost word of a refund or a dispute is found. */
const REREADS_SECONDS = [HOUR_SECONDS, DAY_SECONDS, 7 * DAY_SECONDS]

/** What the schedule of a payment follows from. */
export type Scheduled = Known & {
  status: PaymentStatus
  createdAt: Timestamp
  /** When the provider's page closes by itself; null where the provider does not say. */
  pageEndsAt: Timestamp | null
  isPageClosed: boolean
  /** How often the payment was looked at for its present reason. */
  asks: number
}

/**
 * Why a payment is due: `open`, nobody knows its end; `page`, it ended without success and may still be paid;
 * `refund`, a refund is under way; `reread`, a word about its money may have been lost.
 */
export type Care = 'open' | 'page' | 'refund' | 'reread' | null

/** The reason for which a payment is due now. */
export function careOf(payment: Scheduled, now: Date): Care {
  if (isPaid(payment)) {
    if (refundsOf(payment).some(({ state }) => state === 'pending')) return 'refund'
    return payment.asks < REREADS_SECONDS.length ? 'reread' : null
  }
  if (payment.status === 'PENDING' || payment.status === 'PROCESSING' || isExpiredByClock(payment))
    return 'open'
  return !payment.isPageClosed && timestamp(now) <= pageEndOf(payment) ? 'page' : null
}

/** Whether the clock alone says that the time of a payment is over: it is looked at once more before it is let go. */
const isExpiredByClock = ({ status, facts }: Scheduled): boolean =>
  status === 'EXPIRED' && factsOf(facts, 'expired').length === 0

/** When the page of a payment can no longer be paid. */
const pageEndOf = ({ pageEndsAt, createdAt }: Scheduled): Timestamp =>
  pageEndsAt ?? timestamp(secondsAfter(new Date(createdAt), PAGE_DAYS * DAY_SECONDS))

/** When a payment is looked at next for a reason; null for none. */
export function dueFor(care: Care, payment: Scheduled, now: Date): Timestamp | null {
  if (care === null) return null
  if (care === 'reread') return rereadAt(payment, now)
  const due = timestamp(secondsAfter(now, secondsFor(care, payment.asks)))
  // What nobody has paid is looked at once more the moment it expires.
  const isBeforeExpiry = timestamp(now) < payment.expiresAt && payment.expiresAt < due
  return care === 'open' && isBeforeExpiry ? payment.expiresAt : due
}

/** The next run of the reconciliation closes a page; one that stays open is asked about once a day. */
function secondsFor(care: Care, asks: number): number {
  if (care === 'page') return asks === 0 ? 0 : DAY_SECONDS
  return care === 'refund' && asks === 0 ? MINUTE_SECONDS : doubled(asks)
}

const doubled = (asks: number): number =>
  Math.min(FIRST_SECONDS * 2 ** Math.min(Math.max(asks, 0), 20), LONGEST_SECONDS)

/** When a page is tried again that its provider could have closed and has not: ten minutes later, doubling to six hours. */
export const closeAgainAt = ({ asks }: Scheduled, now: Date): Timestamp =>
  timestamp(secondsAfter(now, doubled(asks - 1)))

/**
 * When a last look is made again that failed, or that its function did not live to end: ten minutes later, doubling to six
 * hours with each fault; null 90 days after its money came, or after it was made.
 */
export function lookAgainAt(payment: Scheduled & { faults: number }, now: Date): Timestamp | null {
  const since = new Date(chargesOf(payment)[0]?.at ?? payment.createdAt)
  const isOver = secondsAfter(since, PAGE_DAYS * DAY_SECONDS) <= now
  return isOver ? null : timestamp(secondsAfter(now, doubled(payment.faults - 1)))
}

function rereadAt(payment: Scheduled, now: Date): Timestamp | null {
  const seconds = REREADS_SECONDS[payment.asks]
  const [charge] = chargesOf(payment)
  if (seconds === undefined || !charge) return null
  // A provider that dates a charge in the future does not put off the reading.
  const chargedAt = charge.at < timestamp(now) ? new Date(charge.at) : now
  const due = secondsAfter(chargedAt, seconds)
  return timestamp(due > now ? due : secondsAfter(now, MINUTE_SECONDS))
}
