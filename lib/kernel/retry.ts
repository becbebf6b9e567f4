import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from './domain-error.ts'
import { WriteConflict } from './write.ts'

/** Waits for a time. Passed where a test must not wait. */
export type Sleep = (milliseconds: number) => Promise<unknown>

/** Sleeps by the machine's own timer. */
export const systemSleep: Sleep = (milliseconds) => sleep(milliseconds)

/** The most that one piece of work waits between its attempts, those of its commits included. */
const WAITING_MAX_MILLISECONDS = 2_000
const FIRST_PAUSE_MILLISECONDS = 40
const LONGEST_PAUSE_MILLISECONDS = 400
/** What a pause costs at least, so that attempts without a pause end too. */
const SHORTEST_PAUSE_MILLISECONDS = 5

type Budget = { leftMilliseconds: number }

const budgets = new AsyncLocalStorage<Budget>()

/**
 * Repeats an attempt while its error is one that may pass. Each pause is a random part of a time that doubles up to 400 ms.
 * Throws `unavailable` after two seconds of waiting, and any other error at once. An attempt that repeats a part of itself in
 * the same way shares those two seconds.
 */
export function retry<T>(
  attempt: (isRetry: boolean) => Promise<T>,
  mayPass: (error: unknown) => boolean,
  sleep: Sleep = systemSleep,
): Promise<T> {
  const budget = budgets.getStore() ?? { leftMilliseconds: WAITING_MAX_MILLISECONDS }
  return budgets.run(budget, async () => {
    for (let longest = FIRST_PAUSE_MILLISECONDS, isRetry = false; ; isRetry = true) {
      try {
        return await attempt(isRetry)
      } catch (error) {
        if (!mayPass(error)) throw error
        if (budget.leftMilliseconds <= 0) throw new DomainError('unavailable', { cause: error })
      }
      const pause = Math.random() * Math.min(longest, budget.leftMilliseconds)
      budget.leftMilliseconds -= Math.max(pause, SHORTEST_PAUSE_MILLISECONDS)
      longest = Math.min(2 * longest, LONGEST_PAUSE_MILLISECONDS)
      await sleep(pause)
    }
  })
}

/**
 * Repeats work that reads, decides and writes whenever it loses to another writer, as `retry` does. A retry must read again;
 * the first attempt may use what the caller has just read.
 */
export const retryConflicts = <T>(
  attempt: (isRetry: boolean) => Promise<T>,
  sleep: Sleep = systemSleep,
): Promise<T> => retry(attempt, (error) => error instanceof WriteConflict, sleep)

/** Waits for between half of the time and all of it, so that several waiters come back one by one. */
export const pauseAbout = (milliseconds: number): Promise<unknown> =>
  sleep(milliseconds * (0.5 + Math.random() / 2))
