import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { PaymentRequest } from './payment-request.ts'

/** The time between making a repetition and its due date. */
const LEAD_DAYS = 7
/** The longest time from the first due date of a series to its `until`. */
export const SERIES_MONTHS_MAX = 60

/** A payment request that repeats each month: the terms of each repetition, and which comes next. */
export const Series = PaymentRequest.pick({
  id: true,
  listingId: true,
  enquiryId: true,
  customerId: true,
  ownerId: true,
  purpose: true,
  amount: true,
  currency: true,
  note: true,
}).extend({
  firstDueAt: Timestamp,
  /** The last moment at which a repetition may be due. */
  until: Timestamp,
  /** In which the day of the month and the time of day stay the same. */
  timeZone: z.string(),
  /** The next repetition, counted from 1. */
  next: z.int().min(1),
  version: z.int().min(1),
})
export type Series = z.infer<typeof Series>

/** Returns the series that a request begins; undefined without `repeats`, and for a repetition of another request. */
export function seriesOf(request: PaymentRequest): Series | undefined {
  const { repeats, dueAt } = request
  if (!repeats || dueAt === null || request.seriesId !== request.id) return undefined
  const { id, listingId, enquiryId, customerId, ownerId, purpose, amount, currency, note } = request
  const terms = { id, listingId, enquiryId, customerId, ownerId, purpose, amount, currency, note }
  return {
    ...terms,
    firstDueAt: dueAt,
    until: repeats.until,
    timeZone: repeats.timeZone,
    next: 1,
    version: 1,
  }
}

/**
 * Returns the time so many months after the first, at the same time of day in a time zone. A day that the month lacks becomes
 * the month's last day, and a time that a change of clocks skips becomes one as much later.
 */
export function monthsAfter(first: Timestamp, months: number, timeZone = 'UTC'): Timestamp {
  const here = new Date(Date.parse(first) + offsetAt(Date.parse(first), timeZone))
  const day = here.getUTCDate()
  here.setUTCDate(1)
  here.setUTCMonth(here.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(here.getUTCFullYear(), here.getUTCMonth() + 1, 0)).getUTCDate()
  here.setUTCDate(Math.min(day, lastDay))
  const guess = here.getTime() - offsetAt(here.getTime(), timeZone)
  const due = here.getTime() - offsetAt(guess, timeZone)
  const isThere = due + offsetAt(due, timeZone) === here.getTime()
  return timestamp(new Date(isThere ? due : Math.max(guess, due)))
}

/** Whether a name is one of the IANA database: an offset such as `+01:00`, which the runtime knows too, is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Returns how far the clocks of a time zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(moment)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
  return Number(`${sign}1`) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
}

/** Returns when the next repetition is due; undefined where the series is over. */
export function nextDueOf({ firstDueAt, next, until, timeZone }: Series): Timestamp | undefined {
  const dueAt = monthsAfter(firstDueAt, next, timeZone)
  return dueAt <= until ? dueAt : undefined
}

/** Returns when the next repetition is to be made, before it is due; undefined where the series is over. */
export function nextMakingOf(series: Series): Timestamp | undefined {
  const dueAt = nextDueOf(series)
  return dueAt && timestamp(secondsAfter(new Date(dueAt), -LEAD_DAYS * DAY_SECONDS))
}

/** Moves a series to its next repetition. */
export const afterRepetition = (series: Series): Series => ({
  ...series,
  next: series.next + 1,
  version: series.version + 1,
})
