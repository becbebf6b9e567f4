import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'

/**
 * Does work that reads and then writes on the condition that nothing has changed meanwhile, afresh for as long
 * as somebody else was faster: at most twelve times, with pauses of about two seconds in all, so that a provider's
 * burst of events about one thing gets through. Throws `unavailable` after that.
 */
export const untilWon = <T>(work: () => Promise<T>): Promise<T> =>
  retryConflicts(work, { attempts: 12, longestPauseMilliseconds: 400, isConflict: isRace })

/** Whether an error says that another write came between: its condition failed, or the database gave way. */
export const isRace = (error: unknown): boolean =>
  error instanceof DomainError && (error.code === 'version_conflict' || error.code === 'unavailable')
