import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from './domain-error.ts'
import { WriteConflict } from './write.ts'

/** A shorter attempt counts as one of this time. */
const SHORTEST_MILLISECONDS = 15

/** Waits for a time. Passed where a test must not wait. */
export type Sleep = (milliseconds: number) => Promise<unknown>

/** Sleeps by the machine's own timer. */
export const systemSleep: Sleep = (milliseconds) => sleep(milliseconds)

/** The number of attempts, and the pauses between them. */
type RetryPolicy = { attempts: number; longestPauseMilliseconds: number; sleep: Sleep }

const DEFAULT_POLICY: RetryPolicy = { attempts: 8, longestPauseMilliseconds: 2_000, sleep: systemSleep }

/**
 * Repeats work that reads, decides and writes whenever it ends in a `WriteConflict`: eight attempts unless told otherwise.
 * Throws `unavailable` after the last one, and any other error at once.
 *
 * A retry must read again; the first attempt may use what the caller has just read. Each pause is a random part of
 * the time that the attempt took, doubled with every attempt, so that long attempts stand further apart.
 */
export async function retryConflicts<T>(
  attempt: (isRetry: boolean) => Promise<T>,
  policy: Partial<RetryPolicy> = {},
): Promise<T> {
  const { attempts, longestPauseMilliseconds, sleep } = { ...DEFAULT_POLICY, ...policy }
  for (let count = 1; ; count += 1) {
    const startedAt = performance.now()
    try {
      return await attempt(count > 1)
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
      if (count === attempts) throw new DomainError('unavailable', { cause: error })
      const took = Math.max(performance.now() - startedAt, SHORTEST_MILLISECONDS)
      await sleep(Math.random() * Math.min(took * 2 ** count, longestPauseMilliseconds))
    }
  }
}

/** Waits for between half of the time and all of it, so that several waiters come back one by one. */
export const pauseAbout = (milliseconds: number): Promise<unknown> =>
  sleep(milliseconds * (0.5 + Math.random() / 2))
