import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '../kernel/domain-error.ts'

const ATTEMPTS = 8
const FIRST_PAUSE_MILLISECONDS = 20
const LONGEST_PAUSE_MILLISECONDS = 400

/** Returns the pause after an attempt, the first being 1: a random part of a time that doubles, at most 400 ms. */
export const pauseAfter = (attempt: number): number =>
  Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** attempt, LONGEST_PAUSE_MILLISECONDS) * Math.random()

/** Asks for what DynamoDB has left unprocessed, at most eight times with pauses; then throws `unavailable`. */
export async function untilProcessed<T>(
  all: readonly T[],
  process: (wanted: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  let left = await process(all)
  for (let attempt = 1; left.length > 0; attempt += 1) {
    if (attempt === ATTEMPTS)
      throw new DomainError('unavailable', { cause: `${left.length} left unprocessed` })
    await sleep(pauseAfter(attempt))
    left = await process(left)
  }
}
