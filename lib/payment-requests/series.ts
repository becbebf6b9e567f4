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
  return { ...terms, firstDueAt: dueAt, until: repeats.until, next: 1, version: 1 }
}

/** Returns the time so many months after the first. A day that the month lacks becomes the month's last day. */
export function monthsAfter(first: Timestamp, months: number): Timestamp {
  const time = new Date(first)
  const day = time.getUTCDate()
  time.setUTCDate(1)
  time.setUTCMonth(time.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate()
  time.setUTCDate(Math.min(day, lastDay))
  return timestamp(time)
}

/** Returns when the next repetition is due; undefined where the series is over. */
export function nextDueOf({ firstDueAt, next, until }: Series): Timestamp | undefined {
  const dueAt = monthsAfter(firstDueAt, next)
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
