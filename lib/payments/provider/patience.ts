import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'

/** How a provider account stands: failures in a row, how often they made us pause since, and until when it is left alone. */
export type Pause = { failures: number; pauses: number; until: Timestamp | null }

/** What is counted by the minute: questions that strangers cause, and looks of the reconciliation. */
export type Budget = 'questions' | 'looks'

/** Keeps count of what provider accounts answer and how often they are asked. Counts are exact, however many write. */
export type Patience = {
  /** How an account stands. */
  of: (provider: string) => Promise<Pause>
  /** Counts a failure; answers how the account then stands. */
  countFailure: (provider: string) => Promise<Pause>
  /** Stores that an account is left alone, unless another function has stored a pause since it was seen. */
  pause: (provider: string, seen: Pause, next: Pick<Pause, 'pauses' | 'until'>) => Promise<void>
  /** Stores that an account has answered again. */
  forgive: (provider: string) => Promise<void>
  /** Counts one more of a budget; answers how many there were in this minute. */
  count: (provider: string, budget: Budget, now: Date) => Promise<number>
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

/** Patience with accounts that a caller asks for themselves: they are asked, whatever they answered others. */
export const WITHOUT_PAUSE: Patience = {
  of: async () => UNPAUSED,
  countFailure: async () => UNPAUSED,
  pause: async () => undefined,
  forgive: async () => undefined,
  count: async () => 0,
}

/** Whether an account must be left alone now. */
export const isPaused = ({ until }: Pause, now: Date): boolean => until !== null && timestamp(now) < until

/**
 * How an account is left alone after a failure: for what it asked; else, after a 429 or five failures in a row, for 30 s,
 * doubling with each pause up to an hour. Undefined where it is not, or is already.
 */
export function pauseAfter(
  pause: Pause,
  error: unknown,
  now: Date,
): Pick<Pause, 'pauses' | 'until'> | undefined {
  const asked = error instanceof DomainError ? error.options.retryAfterSeconds : undefined
  if (asked) return { pauses: pause.pauses, until: timestamp(secondsAfter(now, asked)) }
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
  patience: Patience,
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
  patience: Patience,
  provider: string,
  now: () => Date,
  question: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await question()
    if (pause.failures > 0) await patience.forgive(provider)
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
