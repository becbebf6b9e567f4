import { isConnectionFault } from '#lib/kernel/connection-fault'
import { DomainError } from '#lib/kernel/domain-error'
import { WriteConflict } from '#lib/kernel/write'

/** The names of AWS's errors that a later attempt may not meet. */
const TRANSIENT = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
  'SlowDown',
  // The machine's clock was set while the request was under way.
  'RequestTimeTooSkewed',
])

/** Turns an error into a refusal: a `DomainError` stays, a transient fault is `unavailable`, any other `internal`. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  return new DomainError(isTransient(error) ? 'unavailable' : 'internal', { cause: error })
}

const isTransient = (error: unknown): boolean =>
  error instanceof WriteConflict ||
  isConnectionFault(error) ||
  (error instanceof Error && TRANSIENT.has(error.name))
