import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { factsOf } from '#lib/payments/fact'
import { isPaid, type Known, type PaymentStatus } from '#lib/payments/payment-status'
import { isKeyKept, type Refund, refundsOf } from '#lib/payments/refunds/refund'

const FIRST_SECONDS = 10 * 60
const LONGEST_SECONDS = 6 * 60 * 60

/** When a payment is looked after next, after being asked about `asks` times: ten minutes, then ever more rarely. */
export function dueAfter(asks: number, payment: Known, now: Date): Timestamp {
  const seconds = Math.min(FIRST_SECONDS * 2 ** Math.min(asks, 20), LONGEST_SECONDS)
  const due = timestamp(secondsAfter(now, seconds))
  // What nobody has paid is looked at once more the moment it expires.
  return due < payment.expiresAt || timestamp(now) >= payment.expiresAt ? due : payment.expiresAt
}

/**
 * Whether somebody must still ask about a payment: it is open, nobody was asked since its time was over, or a refund of
 * it is on its way.
 */
export const needsCare = (payment: Known & { status: PaymentStatus }, now: Date): boolean =>
  payment.status === 'PENDING' ||
  payment.status === 'PROCESSING' ||
  hasOnlyTimedOut(payment) ||
  (isPaid(payment) && refundsOf(payment.facts).some((refund) => isOnItsWay(refund, now)))

/** Whether only the clock says that a payment was not paid in time: it may have been, unheard. */
const hasOnlyTimedOut = ({ status, facts }: Known & { status: PaymentStatus }): boolean =>
  status === 'EXPIRED' && factsOf(facts, 'expired').length === 0

/**
 * Whether a refund has neither succeeded nor failed yet. That something was taken for its end is not enough while its
 * provider can be asked again, and say so itself.
 */
const isOnItsWay = ({ state, sureState, startedAt }: Refund, now: Date): boolean =>
  state === 'pending' || (sureState === 'pending' && isKeyKept(startedAt, now))
