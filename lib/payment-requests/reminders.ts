import { DAY_SECONDS, secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { morningOf } from '#lib/kernel/morning'
import { expiryOf, type PaymentRequest } from './payment-request.ts'

/** At 07:00 UTC: 3 days before the day a request is due, on that day, and 3 days after. */
const REMINDERS = [
  { days: -3, type: 'payment_request.due' },
  { days: 0, type: 'payment_request.due' },
  { days: 3, type: 'payment_request.overdue' },
] as const

export type Reminder = (typeof REMINDERS)[number]['type']

/** Returns when the customer of a request is reminded, earliest first; no times without a due date. */
function reminderTimes(dueAt: Timestamp | null): Timestamp[] {
  if (dueAt === null) return []
  const day = new Date(morningOf(dueAt.slice(0, 10)))
  return REMINDERS.map(({ days }) => timestamp(secondsAfter(day, days * DAY_SECONDS)))
}

/** Counts the reminders of a request that are past. */
export const remindersPast = (dueAt: Timestamp | null, now: Date): number =>
  reminderTimes(dueAt).filter((time) => time <= timestamp(now)).length

/**
 * Returns the newest reminder that is past and unsent; earlier missed ones are left out. `reminders` counts those that
 * were past when the request was last written.
 */
export const reminderDue = ({ dueAt, reminders }: PaymentRequest, now: Date): Reminder | undefined => {
  const past = remindersPast(dueAt, now)
  return past > reminders ? REMINDERS[past - 1]?.type : undefined
}

/** Returns when a request next needs the job: at its next reminder, else at its end. */
export const nextTimeOf = (request: Pick<PaymentRequest, 'dueAt' | 'createdAt' | 'reminders'>): Timestamp =>
  reminderTimes(request.dueAt)[request.reminders] ?? expiryOf(request)
