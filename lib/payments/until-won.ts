import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '#lib/kernel/domain-error'

const ATTEMPTS = 12
const FIRST_PAUSE_MILLISECONDS = 10
const LONGEST_PAUSE_MILLISECONDS = 400

/**
 * Does work that reads and then writes on the condition that nothing has changed meanwhile, afresh for as long
 * as somebody else was faster: at most twelve times, with pauses of about two seconds in all, so that a provider's
 * burst of events about one thing gets through. Throws `unavailable` after that.
 */
export async function untilWon<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isRace(error)) throw error
      if (attempt === ATTEMPTS) throw new DomainError('unavailable', { cause: error })
      const longest = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** attempt, LONGEST_PAUSE_MILLISECONDS)
      await sleep(randomInt(longest))
    }
  }
}

/** Whether an error says that another write came between: its condition failed, or the database gave way. */
export const isRace = (error: unknown): boolean =>
  error instanceof DomainError && (error.code === 'version_conflict' || error.code === 'unavailable')
