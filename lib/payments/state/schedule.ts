import {
  DAY_SECONDS,
  HOUR_SECONDS,
  MINUTE_SECONDS,
  secondsAfter,
  type Timestamp,
  timestamp,
} from '#lib/kernel/clock'
import { factsOf } from './fact.ts'
import { foldOf } from './fold.ts'
import { FAULTS_LIMIT, type Facts, type PaymentStatus } from './payment-status.ts'

const FIRST_SECONDS = 10 * MINUTE_SECONDS
const LONGEST_SECONDS = 6 * HOUR_SECONDS
/** Keeps the power of two finite: far fewer doublings reach the longest time. */
const DOUBLINGS_MAX = 20
/** Between the first readings where a payer is asked on the phone: one and three minutes after the start. */
const PROMPT_SECONDS = [MINUTE_SECONDS, 2 * MINUTE_SECONDS]
/** The time for which a page without a known end is taken to be payable. */
const PAGE_DAYS = 90
/** When a payment that has succeeded is read again, so that a lost callback of a refund or a dispute is made good. */
export const REREAD_DAYS = [1, 7, 30, 60, 90, 120]
/** A failed reading of a paid payment is tried again until this day. */
const RETRY_DAYS = 130

type Scheduled = Facts & {
  status: PaymentStatus
  createdAt: Timestamp
  /** The time when the provider's page closes; null where the provider does not say. */
  pageEndsAt: Timestamp | null
  isPageClosed: boolean
  /** The number of readings for the present reason. */
  asks: number
  /** Null until the payment was started; its `url` is null where the payer is asked on the phone. */
  checkout: { url: string | null } | null
}

/**
 * Why a payment is due. `open`: its end is not known. `page`: it ended without success and may still be paid. `refund`: a
 * refund is under way. `dispute`: a dispute is open. `reread`: a callback about its money may have been lost.
 */
type DueReason = 'open' | 'page' | 'refund' | 'dispute' | 'reread' | null

/** Returns the reason for which a payment is due. */
export function dueReasonOf(payment: Scheduled, now: Date): DueReason {
  const { countingCharge, charges, refunds } = foldOf(payment)
  if (refunds.some(({ state }) => state === 'pending') && charges.length > 0) return 'refund'
  if (charges.some(({ disputes }) => disputes.some(({ state }) => state === 'open'))) return 'dispute'
  const reread = rereadAt(payment, now) === null ? null : 'reread'
  if (countingCharge) return reread
  if (hasUnknownEnd(payment)) return 'open'
  return !payment.isPageClosed && timestamp(now) <= pageEndOf(payment) ? 'page' : reread
}

const hasUnknownEnd = (payment: Scheduled): boolean =>
  payment.status === 'PENDING' || payment.status === 'PROCESSING' || isExpiredByClock(payment)

/** Whether only the clock says that a payment has expired: it is read once more before the expiry is stored. */
const isExpiredByClock = ({ status, facts }: Scheduled): boolean =>
  status === 'EXPIRED' && factsOf(facts, 'expired').length === 0

/** Returns when the page of a payment can no longer be paid. */
const pageEndOf = ({ pageEndsAt, createdAt }: Scheduled): Timestamp =>
  pageEndsAt ?? timestamp(secondsAfter(new Date(createdAt), PAGE_DAYS * DAY_SECONDS))

/** Returns when a payment is due next for a reason; null for never. */
export function nextDueAt(reason: DueReason, payment: Scheduled, now: Date): Timestamp | null {
  if (reason === null) return null
  if (reason === 'reread') return rereadAt(payment, now)
  const due = timestamp(secondsAfter(now, secondsFor(reason, payment)))
  // An unpaid payment is read once more when it expires.
  const expiresFirst = timestamp(now) < payment.expiresAt && payment.expiresAt < due
  return reason === 'open' && expiresFirst ? payment.expiresAt : due
}

/**
 * Returns the seconds until a payment is due again. The page of an unpaid payment is closed at once; if it stays open,
 * the payment is read daily.
 */
function secondsFor(reason: DueReason, { asks, checkout }: Scheduled): number {
  const isFirst = asks === 0
  const isAskedOnPhone = checkout?.url === null
  if (reason === 'open' && isAskedOnPhone) {
    return PROMPT_SECONDS[asks] ?? backoffSeconds(asks - PROMPT_SECONDS.length)
  }
  if (reason === 'dispute') return DAY_SECONDS
  if (reason === 'page') return isFirst ? 0 : DAY_SECONDS
  if (reason === 'refund' && isFirst) return MINUTE_SECONDS
  return backoffSeconds(asks)
}

/** Returns ten minutes, doubled so many times, but at most six hours. */
function backoffSeconds(times: number): number {
  const doublings = Math.min(Math.max(times, 0), DOUBLINGS_MAX)
  return Math.min(FIRST_SECONDS * 2 ** doublings, LONGEST_SECONDS)
}

/** Returns when closing a page is tried again: ten minutes after the first attempt (`asks` is 1), doubling to six hours. */
export const retryClosingAt = ({ asks }: Scheduled, now: Date): Timestamp =>
  timestamp(secondsAfter(now, backoffSeconds(asks - 1)))

/**
 * Returns the time of the next attempt after a failed or interrupted reading: ten minutes later, doubling to six hours
 * with each failure; null 130 days after the money came, or 90 after the payment was made, once the payment needs someone
 * because it cannot be read.
 */
export function retryReadingAt(payment: Scheduled & { faults: number }, now: Date): Timestamp | null {
  const moneyAt = firstMoneyAt(payment)
  const endsAt = moneyAt
    ? secondsAfter(new Date(moneyAt), RETRY_DAYS * DAY_SECONDS)
    : secondsAfter(new Date(payment.createdAt), PAGE_DAYS * DAY_SECONDS)
  const isOver = endsAt <= now && payment.faults >= FAULTS_LIMIT
  return isOver ? null : timestamp(secondsAfter(now, backoffSeconds(payment.faults - 1)))
}

/** Returns when money of a payment came; where its coming was never stated, when it was taken back. */
function firstMoneyAt(payment: Scheduled): Timestamp | undefined {
  const { countingCharge, charges } = foldOf(payment)
  return (countingCharge ?? charges[0])?.at ?? factsOf(payment.facts, 'taken_back')[0]?.at
}

/** Returns when a payment is read again by `REREAD_DAYS`; null after the last of these days, and before any money. */
function rereadAt(payment: Scheduled, now: Date): Timestamp | null {
  const at = firstMoneyAt(payment)
  if (at === undefined) return null
  const days = REREAD_DAYS.map((day) => secondsAfter(new Date(at), day * DAY_SECONDS))
  const due = days.find((day) => day > now)
  return due ? timestamp(due) : null
}
