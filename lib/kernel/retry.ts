import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from './domain-error.ts'

const ATTEMPTS = 8
const FIRST_PAUSE_MILLISECONDS = 15
const LONGEST_PAUSE_MILLISECONDS = 2_000

/**
 * Carries out a load-decide-write again when someone else wrote in between (`version_conflict`): at most eight
 * times unless told otherwise, with jitter, then `unavailable`. A retry must load afresh; the first attempt may use
 * what the caller has just read.
 */
export async function retryConflicts<T>(
  attempt: (isRetry: boolean) => Promise<T>,
  attempts: number = ATTEMPTS,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(count > 1)
    } catch (error) {
      if (
        !(error instanceof DomainError) ||
        error.code !== 'version_conflict' ||
        error.options.cause === FINAL
      )
        throw error
      if (count === attempts) throw new DomainError('unavailable', { cause: error })
      const pause = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** count, LONGEST_PAUSE_MILLISECONDS)
      await sleep(pause * Math.random())
    }
  }
}

/** Waits for about as long: between half of it and all of it, so that those who wait come back one by one. */
export const pauseAbout = (milliseconds: number): Promise<unknown> =>
  sleep(milliseconds * (0.5 + Math.random() / 2))

/** A conflict that loading again cannot mend: the caller's own `If-Match` is stale. */
export const staleVersion = (): DomainError => new DomainError('version_conflict', { cause: FINAL })

const FINAL = Symbol('the caller saw another version')
