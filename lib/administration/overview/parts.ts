import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { Enquiry } from '#lib/enquiries/enquiry'
import { openReports } from '#lib/enquiries/open-reports'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import type { Listing } from '#lib/listings/listing'
import { waitingSince } from '#lib/listings/review/queue-place'
import { type Callback, needsSomeone } from '#lib/payments/callbacks/callback'
import { foldOf } from '#lib/payments/state/fold'
import type { Payment } from '#lib/payments/state/payment'
import { isPaid, PaymentStatus } from '#lib/payments/state/payment-status'
import { type Payout, needsSomeone as payoutNeedsSomeone } from '#lib/payouts/payout'
import type { Reported } from '#lib/reports/report'

/** The queues in which something waits for an administrator. */
export const Queue = z.enum([
  'kyc',
  'listings',
  'reports',
  'enquiries',
  'callbacks',
  'disputes',
  'refunds',
  'payouts',
])
export type Queue = z.infer<typeof Queue>

/** A UTC day (`2026-11-22`). */
const Day = z.iso.date()

/** A counter: of a queue, of the payments of a day in one currency and status, or of the sign-ups of a day. */
export const Counter = z.discriminatedUnion('of', [
  z.object({ of: z.literal('waiting'), queue: Queue }),
  z.object({ of: z.literal('payments'), date: Day, currency: z.string(), status: PaymentStatus }),
  z.object({ of: z.literal('signUps'), date: Day }),
])
export type Counter = z.infer<typeof Counter>

/**
 * What a subject adds to one counter. `amount` is in minor units, and 0 except for payments. `since` is the time from which
 * the subject waits; null for counters of days.
 */
export const OverviewPart = z.object({
  counter: Counter,
  count: z.int(),
  amount: z.int(),
  since: Timestamp.nullable(),
})
export type OverviewPart = z.infer<typeof OverviewPart>

/** The number of days shown before today. */
const DAYS_BEFORE = 7

/** Returns the UTC days that are shown, today first. */
export const shownDays = (now: Date): string[] =>
  Array.from({ length: DAYS_BEFORE + 1 }, (_, age) => dayOf(timestamp(secondsAfter(now, -age * DAY_SECONDS))))

const dayOf = (at: Timestamp): string => at.slice(0, 10)

/** A user adds 1 to `kyc` while they wait for a decision, and 1 to the sign-ups of the day of registration. */
export function partsOfUser(account: Account | undefined, now: Date): OverviewPart[] {
  if (!account) return []
  const date = dayOf(account.createdAt)
  const signUp: OverviewPart = { counter: { of: 'signUps', date }, count: 1, amount: 0, since: null }
  return [...waiting('kyc', [account.kyc.waitingSince]), ...(shownDays(now).includes(date) ? [signUp] : [])]
}

/** A listing adds 1 to `listings` while it waits for a moderator, and 1 to `reports` while reports are open. */
export const partsOfListing = (
  listing: Listing | undefined,
  reported: Reported | undefined,
): OverviewPart[] => [
  ...waiting('listings', [listing ? waitingSince(listing) : null]),
  ...waiting('reports', [reported?.firstAt ?? null]),
]

/** An enquiry adds 1 to `enquiries` while it has open reports. */
export const partsOfEnquiry = (enquiry: Enquiry | undefined): OverviewPart[] =>
  waiting('enquiries', [(enquiry && openReports(enquiry)?.firstAt) ?? null])

/**
 * A callback adds 1 to `callbacks` while it needs someone, until it expires. The table removes it some time after that.
 */
export function partsOfCallback(callback: Callback | undefined, now: Date): OverviewPart[] {
  if (!callback || callback.expiresAtSeconds * 1000 <= now.getTime()) return []
  return waiting('callbacks', [needsSomeone(callback) ? callback.receivedAt : null])
}

/** A payout adds 1 to `payouts` while it awaits approval, is to be paid by hand, or needs a resolution. */
export const partsOfPayout = (payout: Payout | undefined): OverviewPart[] =>
  waiting('payouts', [payout && payoutNeedsSomeone(payout) ? payout.createdAt : null])

/** A payment adds its open disputes, its pending refunds, and itself to the payments of the day of its creation. */
export function partsOfPayment(payment: Payment | undefined, now: Date): OverviewPart[] {
  if (!payment) return []
  const { currency, status } = payment
  const date = dayOf(payment.createdAt)
  const { disputes, refunds, amountPaid } = foldOf(payment)
  const hasSucceeded = isPaid(payment)
  // Disputes and refunds of a payment that never succeeded are stored, but count nowhere. A refund of unknown sum
  // counts nowhere either.
  const openDisputes = disputes.filter(({ state }) => hasSucceeded && state === 'open')
  const pendingRefunds = refunds.filter(({ state, money }) => hasSucceeded && state === 'pending' && money)
  const created: OverviewPart = {
    counter: { of: 'payments', date, currency, status },
    count: 1,
    amount: hasSucceeded ? amountPaid : payment.amount,
    since: null,
  }
  return [
    ...waiting(
      'disputes',
      openDisputes.map(({ at }) => at),
    ),
    ...waiting(
      'refunds',
      pendingRefunds.map(({ startedAt }) => startedAt),
    ),
    ...(shownDays(now).includes(date) ? [created] : []),
  ]
}

/** Returns what a subject adds to a queue: 1 for each time since which it waits, and nothing without such a time. */
function waiting(queue: Queue, times: readonly (Timestamp | null)[]): OverviewPart[] {
  const [since, ...later] = times.filter((time) => time !== null).sort()
  if (since === undefined) return []
  return [{ counter: { of: 'waiting', queue }, count: 1 + later.length, amount: 0, since }]
}
