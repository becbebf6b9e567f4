import { DAY_SECONDS, secondsAfter, type Timestamp, timestamp } from './clock.ts'

/** The time of daily mails, in UTC. */
const TIME = 'T07:00:00.000Z'

/** Returns the moment of a UTC day at which daily mails are sent. */
export const morningOf = (day: string): Timestamp => timestamp(new Date(day + TIME))

/** Returns the next moment at which daily mails are sent. */
export function nextMorning(now: Date): Timestamp {
  const today = morningOf(timestamp(now).slice(0, 10))
  return timestamp(now) < today ? today : timestamp(secondsAfter(new Date(today), DAY_SECONDS))
}
