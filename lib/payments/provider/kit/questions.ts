import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { QUESTIONS_A_MINUTE } from '#lib/payments/provider/patience'

const MINUTE_MILLISECONDS = 60_000

/**
 * Counts the questions that unverified callbacks cause to a provider, within one instance of a function. Throws
 * `unavailable` for each beyond 20 a minute: the provider then sends its callback again.
 */
export function questionLimit(now: Clock): () => void {
  let minute = 0
  let count = 0
  return () => {
    const current = Math.floor(now().getTime() / MINUTE_MILLISECONDS)
    count = current === minute ? count + 1 : 1
    minute = current
    if (count > QUESTIONS_A_MINUTE)
      throw new DomainError('unavailable', { cause: 'Too many callbacks that only the provider can verify' })
  }
}
