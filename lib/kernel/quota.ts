import { windowEnd } from './clock.ts'
import { type DomainError, tooManyRequests } from './domain-error.ts'
import type { Write } from './write.ts'

/** The number of actions that a subject may take within one window of the clock; see `windowEnd`. */
export type Quota = { policy: string; limit: number; windowSeconds: number }

/** Counts what subjects do. A count is a write in the transaction of the action, so that only what succeeds counts. */
export type Quotas = {
  /**
   * Returns the write that adds `by`, 1 by default, to what `subject` did in the window of `at`. Above the limit, its
   * commit throws `too_many_requests`.
   */
  count: (quota: Quota, subject: string, at: Date, by?: number) => Write
}

/** Also counts what shows only after an action was allowed: it bounds the next actions. */
export type QuotaStore = Quotas & {
  /** Returns the write that adds 1 to what `subject` did in the window of `at`, also above the limit. */
  countAlways: (quota: Quota, subject: string, at: Date) => Write
  /** Returns the condition that the limit is not reached; otherwise its commit throws `too_many_requests`. */
  requireLeft: (quota: Quota, subject: string, at: Date) => Write
}

/** Returns the error of a quota that is used up until its window ends. */
export function quotaExceeded(quota: Quota, at: Date): DomainError {
  const { limit, windowSeconds } = quota
  const seconds = Math.max(1, Math.ceil(windowEnd(windowSeconds, at) - at.getTime() / 1000))
  const detail = `The limit is ${limit} in ${windowSeconds} seconds; try again in ${seconds} seconds`
  return tooManyRequests(quota, seconds, detail)
}

export type QuotaReader = Pick<QuotaStore, 'requireLeft'>
