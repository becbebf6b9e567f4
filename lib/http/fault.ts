import { DomainError } from '#lib/kernel/domain-error'
import { WriteConflict } from '#lib/kernel/write'

/** Why a part of the infrastructure did not answer, by the names its SDK gives such errors. */
const TRANSIENT = new Set<unknown>([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
  'SlowDown',
  'TimeoutError',
  'ECONNREFUSED',
  'ECONNRESET',
])

/** Turns any error into a refusal: our own stays, a passing fault is `unavailable`, the rest `internal`. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof WriteConflict) return new DomainError('unavailable', { cause: error })
  return new DomainError(isTransient(error) ? 'unavailable' : 'internal', { cause: error })
}

const isTransient = (error: unknown): boolean =>
  error instanceof Error && (TRANSIENT.has(error.name) || ('code' in error && TRANSIENT.has(error.code)))
