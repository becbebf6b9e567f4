import { retryConflicts } from '#lib/kernel/retry'

/**
 * Repeats work that reads and then writes conditionally while another writer is faster: at most twelve attempts, with
 * backoff of about two seconds in all, enough for a provider's burst of events about one payment. Throws `unavailable`
 * after that.
 */
export const untilWon = <T>(work: (isRetry: boolean) => Promise<T>): Promise<T> =>
  retryConflicts(work, { attempts: 12, longestPauseMilliseconds: 400 })
