import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'

/** How often a provider account failed in a row, and until when it is left alone. */
export type Pause = { failures: number; until: Timestamp | null }

/** Keeps count of what provider accounts answer and how often they are asked. */
export type Patience = {
  /** How an account stands. */
  of: (provider: string) => Promise<Pause>
  /** Stores how an account stands now. */
  put: (provider: string, pause: Pause) => Promise<void>
  /** Counts a question that a stranger's callback causes; answers how many there were in this minute. */
  countQuestion: (provider: string, now: Date) => Promise<number>
}

const FAILURES_LIMIT = 5
const FIRST_PAUSE_SECONDS = 30
const LONGEST_PAUSE_SECONDS = 60 * 60

/** How many questions a minute strangers can cause to one provider account. */
export const QUESTIONS_A_MINUTE = 20

/** Whether an account is to be left alone now. */
export const isPaused = ({ until }: Pause, now: Date): boolean => until !== null && timestamp(now) < until

/** How an account stands after one more failure: left alone for what it asked, or after five in a row ever longer. */
export function afterFailure({ failures }: Pause, error: unknown, now: Date): Pause {
  const count = failures + 1
  const asked = error instanceof DomainError ? error.options.retryAfterSeconds : undefined
  const doubled = FIRST_PAUSE_SECONDS * 2 ** Math.min(count - FAILURES_LIMIT, 10)
  const seconds = asked ?? (count >= FAILURES_LIMIT ? Math.min(doubled, LONGEST_PAUSE_SECONDS) : 0)
  return { failures: count, until: seconds > 0 ? timestamp(secondsAfter(now, seconds)) : null }
}

/**
 * Asks a provider account, unless it is to be left alone, and stores how it answered. Throws `unavailable` with the
 * time to wait while the account is left alone, and what the question throws.
 */
export async function asking<T>(
  patience: Patience,
  provider: string,
  now: () => Date,
  question: () => Promise<T>,
): Promise<T> {
  const pause = await patience.of(provider)
  if (isPaused(pause, now())) {
    const seconds = Math.ceil((Date.parse(pause.until ?? '') - now().getTime()) / 1000)
    throw new DomainError('unavailable', {
      cause: `${provider} is left alone until ${pause.until}`,
      retryAfterSeconds: seconds,
    })
  }
  try {
    const answer = await question()
    if (pause.failures > 0) await patience.put(provider, { failures: 0, until: null })
    return answer
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') {
      await patience.put(provider, afterFailure(pause, error, now()))
    }
    throw error
  }
}
