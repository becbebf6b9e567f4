import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'

/** How a provider account stands: failures in a row, how often they made us pause since, and until when it is left alone. */
export type Pause = { failures: number; pauses: number; until: Timestamp | null }

/** What is counted by the minute: questions that strangers cause, and looks of the reconciliation. */
export type Budget = 'questions' | 'looks'

/** Stores how provider accounts answer. Counts are exact, however many write. */
export type Pauses = {
  /** How an account stands. */
  of: (provider: string) => Promise<Pause>
  /** Counts a failure; answers how the account then stands. */
  countFailure: (provider: string) => Promise<Pause>
  /** Stores that an account is left alone, unless another function has stored a pause since it was seen. */
  pause: (provider: string, seen: Pause, next: Pick<Pause, 'pauses' | 'until'>) => Promise<void>
  /** Stores that an account has answered again, unless another function has stored a pause since it was seen. */
  forgive: (provider: string, seen: Pause) => Promise<void>
}

/** How provider accounts answer, and how often they are asked. */
export type Patience = Pauses & {
  /** Counts one or `more` of a budget; answers how many there were in this minute, these included. */
  count: (provider: string, budget: Budget, now: Date, more?: number) => Promise<number>
}

const FAILURES_LIMIT = 5
const FIRST_PAUSE_SECONDS = 30
const LONGEST_PAUSE_SECONDS = 60 * 60
const TOO_MANY_REQUESTS = 429

/** How many questions a minute strangers can cause to one provider account. */
export const QUESTIONS_A_MINUTE = 20

/** How many payments of one provider account the reconciliation looks at in a minute: ten a second. */
export const LOOKS_A_MINUTE = 600

const UNPAUSED: Pause = { failures: 0, pauses: 0, until: null }

/** For questions of administrators: no pause keeps the account from being asked. Nothing is stored. */
export const WITHOUT_PAUSE: Pauses = {
  of: async () => UNPAUSED,
  countFailure: async () => UNPAUSED,
  pause: async () => undefined,
  forgive: async () => undefined,
}

/** Whether an account must be left alone now. */
export const isPaused = ({ until }: Pause, now: Date): boolean => until !== null && timestamp(now) < until

/**
 * How an account is left alone after a failure: for as long as it asked, and never shorter than it asked before; else,
 * after a 429 or five failures in a row, for 30 s, doubling with each pause up to an hour. Undefined where it is not, or
 * is already.
 */
export function pauseAfter(
  pause: Pause,
  error: unknown,
  now: Date,
): Pick<Pause, 'pauses' | 'until'> | undefined {
  const asked = error instanceof DomainError ? error.options.retryAfterSeconds : undefined
  if (asked) {
    const until = timestamp(secondsAfter(now, asked))
    return pause.until !== null && pause.until >= until ? undefined : { pauses: pause.pauses, until }
  }
  if (isPaused(pause, now) || (pause.failures < FAILURES_LIMIT && !isTooMany(error))) return undefined
  const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(pause.pauses, 10), LONGEST_PAUSE_SECONDS)
  return { pauses: pause.pauses + 1, until: timestamp(secondsAfter(now, seconds)) }
}

/** Whether an error comes of an answer 429. */
function isTooMany(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('status' in error && error.status === TOO_MANY_REQUESTS) || isTooMany(error.cause)
}

/** Throws `unavailable`, with the time to wait, while an account is to be left alone. */
export function refuseWhilePaused({ until }: Pause, provider: string, now: Date): void {
  if (until === null || timestamp(now) >= until) return
  throw new DomainError('unavailable', {
    cause: `${provider} is left alone until ${until}`,
    retryAfterSeconds: Math.ceil((Date.parse(until) - now.getTime()) / 1000),
  })
}

/**
 * Asks a provider account, unless it must be left alone, and stores the outcome. Throws `unavailable` with the time
 * to wait while the account is left alone, and what the question throws.
 */
export async function asking<T>(
  patience: Pauses,
  provider: string,
  now: () => Date,
  question: () => Promise<T>,
): Promise<T> {
  const pause = await patience.of(provider)
  refuseWhilePaused(pause, provider, now())
  return askingWhile(pause, patience, provider, now, question)
}

/** The same for an account that was just seen, and is not to be left alone. */
export async function askingWhile<T>(
  pause: Pause,
  patience: Pauses,
  provider: string,
  now: () => Date,
  question: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await question()
    if (pause.failures > 0) await patience.forgive(provider, pause)
    return answer
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') {
      const failed = await patience.countFailure(provider)
      const next = pauseAfter(failed, error, now())
      if (next) await patience.pause(provider, failed, next)
    }
    throw error
  }
}
