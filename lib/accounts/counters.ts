/** Something that is counted, and over which time. */
export type Counted = { subject: string; minutes: number }

/** What stands against a subject now. */
export type Tally = {
  /** How much was counted in each minute (by the Unix clock) that still matters, oldest first. */
  counted: readonly { minute: number; count: number }[]
  /** How many are being decided at this moment. */
  pending: number
}

/**
 * Counts by the minute what happens to a subject. What was counted stands for the given minutes and up to one
 * more, so that no stretch of that length ever holds more than a limit allows.
 */
export type Counters = {
  /** Adds, and answers what then stands: of many at once, each sees its own turn. */
  add: (of: Counted, at: Date, by: { counted?: number; pending?: number }) => Promise<Tally>
  /** Adds without asking. `at` is the moment of the reservation that this settles. */
  settle: (of: Counted, at: Date, by: { counted?: number; pending?: number }) => Promise<void>
}

const MINUTE_SECONDS = 60

export const minuteOf = (at: Date): number => Math.floor(at.getTime() / 1000 / MINUTE_SECONDS)

/** How much stands against a subject. */
export const countedOf = ({ counted }: Tally): number => counted.reduce((sum, { count }) => sum + count, 0)

/** In how many seconds, at least one, less than `limit` stands against a subject. */
export function secondsUntilBelow(
  { counted }: Tally,
  limit: number,
  { minutes }: Counted,
  now: Date,
): number {
  let left = countedOf({ counted, pending: 0 })
  for (const { minute, count } of counted) {
    if (left < limit) break
    left -= count
    if (left < limit)
      return Math.max(1, Math.ceil((minute + minutes + 1) * MINUTE_SECONDS - now.getTime() / 1000))
  }
  return 1
}
