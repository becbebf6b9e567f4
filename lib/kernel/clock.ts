import * as z from 'zod'

export const MINUTE_SECONDS = 60
export const HOUR_SECONDS = 60 * MINUTE_SECONDS
export const DAY_SECONDS = 24 * HOUR_SECONDS
export const MINUTE_MILLISECONDS = 1000 * MINUTE_SECONDS
export const HOUR_MILLISECONDS = 1000 * HOUR_SECONDS
export const DAY_MILLISECONDS = 1000 * DAY_SECONDS

/** Tells the present moment. Passed to code that depends on time, so that a test can choose it. */
export type Clock = () => Date

/** The clock of the machine. */
export const systemClock: Clock = () => new Date()

/** An RFC 3339 moment in UTC with milliseconds (`2026-11-20T17:00:00.000Z`). Timestamps compare as text. */
export const Timestamp = z.iso.datetime({ precision: 3 }).brand<'Timestamp'>()
export type Timestamp = z.infer<typeof Timestamp>

/** Returns a moment as the API and the table write it. */
export const timestamp = (moment: Date): Timestamp => moment.toISOString() as Timestamp

/** Later than every other moment: stands for the end of something without an end. */
export const NEVER = '9999-12-31T23:59:59.999Z' as Timestamp

/**
 * A moment as clients send it, with `Z` or an offset. It is read as UTC with milliseconds. An offset may move it out of
 * the years 0 to 9999, the only ones that a timestamp can hold.
 */
export const Moment = z.iso
  .datetime({ offset: true, abort: true })
  .transform((value) => new Date(value))
  .refine(
    (moment) => Timestamp.safeParse(moment.toISOString()).success,
    'must be of the years 0 to 9999 in UTC',
  )
  .transform(timestamp)

/** Returns the moment `seconds` after (or, when negative, before) another. */
export const secondsAfter = (moment: Date, seconds: number): Date =>
  new Date(moment.getTime() + seconds * 1000)

/** Returns a moment in whole Unix seconds, as tokens and times to live hold it. */
export const unixSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)

/** Returns a moment and the same time of day on the `days` days before it, for jobs that may not have run on them. */
export const withDaysBefore = (moment: Date, days: number): Date[] =>
  Array.from({ length: days + 1 }, (_, back) => secondsAfter(moment, -back * DAY_SECONDS))

/**
 * Returns when the window that holds a moment ends, in Unix seconds. Windows follow the clock: one of 86,400 seconds is a
 * UTC day.
 */
export const windowEnd = (windowSeconds: number, at: Date): number =>
  (Math.floor(at.getTime() / 1000 / windowSeconds) + 1) * windowSeconds

/** Returns the whole seconds since a moment; 0 for a later moment or none. */
export const waitedSeconds = (since: string | undefined, now: Date): number =>
  since === undefined ? 0 : Math.max(0, Math.round((now.getTime() - Date.parse(since)) / 1000))
