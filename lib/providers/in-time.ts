import { DomainError } from '#lib/kernel/domain-error'
import { within } from '#lib/kernel/within'

const TIMEOUT_MILLISECONDS = 5_000

/** Runs work that waits for a provider. Throws `unavailable` after 5 s, and where the provider does not answer. */
export async function inTime<T>(work: () => Promise<T>): Promise<T> {
  const done = await within(TIMEOUT_MILLISECONDS, outcomeOf(work))
  if (!done) throw new DomainError('unavailable', { cause: 'The provider took too long' })
  return done.result
}

async function outcomeOf<T>(work: () => Promise<T>): Promise<{ result: T }> {
  try {
    return { result: await work() }
  } catch (cause) {
    if (!(cause instanceof DomainError && cause.code === 'provider_unavailable')) throw cause
    const { retryAfterSeconds } = cause.options
    throw new DomainError('unavailable', { cause, ...(retryAfterSeconds && { retryAfterSeconds }) })
  }
}
