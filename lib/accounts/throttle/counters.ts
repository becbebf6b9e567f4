/** A subject whose attempts are counted, and the time for which each counts. */
export type Counted = { subject: string; windowSeconds: number }

/** The count of a subject at a moment. */
export type Tally = {
  /** The count of each slot of time within the window, oldest first. */
  counted: readonly { slot: number; count: number }[]
  /** The number of undecided attempts. */
  pending: number
}

/**
 * Counts attempts at a subject in slots of a sixtieth of its window. An attempt counts for the window at most, and
 * for 59 sixtieths of it at least.
 */
export type Counters = {
  /** Adds, and returns the tally after it. Each of simultaneous callers receives its own tally. */
  add: (of: Counted, at: Date, by: Counts) => Promise<Tally>
  /** Adds without reading. `at` is the moment at which the attempts that are settled now were added. */
  settle: (of: Counted, at: Date, by: Counts) => Promise<void>
}

/** Numbers to add: of attempts that count, and of undecided ones (`pending`). A settled attempt adds -1 to `pending`. */
export type Counts = { counted?: number; pending?: number }

/** Into how many slots a window is divided. */
export const SLOTS = 60

/** Returns the number of the slot, counted from the Unix epoch, that a moment falls into. */
export const slotOf = ({ windowSeconds }: Counted, at: Date): number =>
  Math.floor(at.getTime() / 1000 / (windowSeconds / SLOTS))

/** Returns the sum of a subject's counts. */
export const countedOf = ({ counted }: Tally): number => counted.reduce((sum, { count }) => sum + count, 0)

/** Returns the seconds, at least one, until fewer than `limit` attempts count against a subject. */
export function secondsUntilBelow(of: Counted, tally: Tally, limit: number, now: Date): number {
  let left = countedOf(tally)
  if (left < limit) return 1
  // The oldest slot whose attempts, once they count no more, bring the count below the limit.
  const last = tally.counted.find(({ count }) => {
    left -= count
    return left < limit
  })
  const slot = last?.slot ?? slotOf(of, now)
  const beginsAtSeconds = (slot * of.windowSeconds) / SLOTS
  const endsAtSeconds = beginsAtSeconds + of.windowSeconds
  return Math.max(1, Math.ceil(endsAtSeconds - now.getTime() / 1000))
}
