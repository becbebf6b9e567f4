import { retryConflicts } from '#lib/kernel/retry'

/**
 * Does work that reads and then writes on the condition that nothing has changed meanwhile, afresh for as long
 * as somebody else was faster: at most twelve times, with pauses of about two seconds in all, so that a provider's
 * burst of events about one thing gets through. Throws `unavailable` after that.
 */
export const untilWon = <T>(work: (isRetry: boolean) => Promise<T>): Promise<T> =>
  retryConflicts(work, { attempts: 12, longestPauseMilliseconds: 400 })
