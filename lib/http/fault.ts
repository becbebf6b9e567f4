import { DomainError } from '#lib/kernel/domain-error'
import { WriteConflict } from '#lib/kernel/write'

/** The names and codes of errors of the infrastructure that a later attempt may not meet. */
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

/**
 * Turns any error into a refusal: a `DomainError` stays, a transient fault is `unavailable`, any other error
 * `internal`.
 */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof WriteConflict) return new DomainError('unavailable', { cause: error })
  return new DomainError(isTransient(error) ? 'unavailable' : 'internal', { cause: error })
}

const isTransient = (error: unknown): boolean =>
  error instanceof Error && (TRANSIENT.has(error.name) || ('code' in error && TRANSIENT.has(error.code)))
