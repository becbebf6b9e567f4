import { retryConflicts } from '#lib/kernel/retry'

/**
 * Repeats work that reads and then writes conditionally, for as long as another writer was faster: at most twelve
 * attempts, with backoff of about two seconds in all, so that a provider's burst of events about one payment gets
 * through. Throws `unavailable` after that.
 */
export const untilWon = <T>(work: (isRetry: boolean) => Promise<T>): Promise<T> =>
  retryConflicts(work, { attempts: 12, longestPauseMilliseconds: 400 })
