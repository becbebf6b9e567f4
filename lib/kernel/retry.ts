import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from './domain-error.ts'

const FIRST_PAUSE_MILLISECONDS = 15

/** How long, and for what, a conflicted attempt is made again. */
type Patience = {
  attempts: number
  longestPauseMilliseconds: number
  isConflict: (error: unknown) => boolean
}

const PATIENCE: Patience = {
  attempts: 8,
  longestPauseMilliseconds: 2_000,
  isConflict: (error) =>
    error instanceof DomainError && error.code === 'version_conflict' && error.options.cause !== FINAL,
}

/**
 * Carries out a load-decide-write again when someone else wrote in between: `version_conflict`, at most eight times
 * unless told otherwise, then `unavailable`. A retry must load afresh; the first attempt may use what the caller has
 * just read. In between it pauses for some part of the time that the attempt took, doubled with every attempt: those
 * who contend for long work stand further apart.
 */
export async function retryConflicts<T>(
  attempt: (isRetry: boolean) => Promise<T>,
  patience: Partial<Patience> = {},
): Promise<T> {
  const { attempts, longestPauseMilliseconds, isConflict } = { ...PATIENCE, ...patience }
  for (let count = 1; ; count += 1) {
    const startedAt = performance.now()
    try {
      return await attempt(count > 1)
    } catch (error) {
      if (!isConflict(error)) throw error
      if (count === attempts) throw new DomainError('unavailable', { cause: error })
      const took = Math.max(performance.now() - startedAt, FIRST_PAUSE_MILLISECONDS)
      await sleep(Math.random() * Math.min(took * 2 ** count, longestPauseMilliseconds))
    }
  }
}

/** Waits for about as long: between half of it and all of it, so that those who wait come back one by one. */
export const pauseAbout = (milliseconds: number): Promise<unknown> =>
  sleep(milliseconds * (0.5 + Math.random() / 2))

/** A conflict that loading again cannot mend: the caller's own `If-Match` is stale. */
export const staleVersion = (): DomainError => new DomainError('version_conflict', { cause: FINAL })

const FINAL = Symbol('the caller saw another version')
