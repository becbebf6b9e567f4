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
 * Whether a failed request was certainly not carried out, so that it may be sent again. False after a lost answer, a 500
 * and a 504. `listsLate`: false after a 503 too, since the provider's list may not show yet what was carried out.
 */
export function isSafeToRepeat(error: unknown, { listsLate = false } = {}): boolean {
  const cause: unknown = error instanceof DomainError ? error.cause : undefined
  if (!(cause instanceof Error)) return false
  if ('code' in cause && NEVER_SENT.has(cause.code)) return true
  if (!('status' in cause) || (listsLate && cause.status === OUT_OF_SERVICE)) return false
  return NOT_CARRIED_OUT.has(cause.status)
}

/**
 * Whether no answer came to a request that was sent: the connection broke, or a gateway gave up waiting (504). The HTTP
 * client sets `code` for both. Looser than `isSafeToRepeat`: any other answer, even a 500, counts as not carried out.
 * For prompts to a telephone, where a repetition costs a second prompt at most.
 */
export function isAnswerLost(error: unknown): error is DomainError {
  const cause: unknown = error instanceof DomainError ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code !== undefined && !NEVER_SENT.has(code)
}
