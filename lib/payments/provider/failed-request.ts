import { DomainError } from '#lib/kernel/domain-error'

/** Errors of a connection that was never made. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
])

/** Answers that refuse a request before it is carried out: refused credentials, too many requests, out of service. */
const NOT_CARRIED_OUT: ReadonlySet<unknown> = new Set([401, 403, 429, 503])

const OUT_OF_SERVICE = 503

/**
 * Whether a request that failed was certainly not carried out, so that sending it once more cannot do anything twice.
 * A lost answer, a 500 or a gateway's time-out say nothing of that. Neither does a 503 where only a list that may lag
 * would show what was carried out.
 */
export function isSafeToRepeat(error: unknown, { listsLate = false } = {}): boolean {
  const cause: unknown = error instanceof DomainError ? error.cause : undefined
  if (!(cause instanceof Error)) return false
  if ('code' in cause && NEVER_SENT.has(cause.code)) return true
  if (!('status' in cause) || (listsLate && cause.status === OUT_OF_SERVICE)) return false
  return NOT_CARRIED_OUT.has(cause.status)
}

/**
 * Whether a failed request may have been carried out: the request went out, and the answer was lost or a gateway gave
 * up. A request with any other answer, even a 503, was not carried out.
 */
export function isAnswerLost(error: unknown): error is DomainError {
  const cause: unknown = error instanceof DomainError ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code !== undefined && !NEVER_SENT.has(code)
}
