import type { DomainError, ExceededLimit } from '#lib/kernel/domain-error'
import { PROBLEMS } from './problems.ts'
import { etagOf } from './reply.ts'

/** A problem as it goes out, before the common headers. */
export type ProblemAnswer = { statusCode: number; headers: Record<string, string>; body: string }

/** The refused request, as far as its problem shows it. */
type Refused = { requestId: string; publicUrl: string; hasBearer: boolean }

/** Writes the problem document from the error's code and options. Its cause is for the log alone. */
export function problemAnswer(
  error: DomainError,
  { requestId, publicUrl, hasBearer }: Refused,
): ProblemAnswer {
  const [status, title] = PROBLEMS[error.code]
  const { detail, errors, extensions } = error.options
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...headersOf(error, status, hasBearer),
    },
    body: JSON.stringify({
      type: `${publicUrl}/docs#${error.code}`,
      title,
      status,
      code: error.code,
      detail: (detail ?? title).toWellFormed(),
      requestId,
      // A path may name what the caller sent, or be cut: many clients read no JSON with half a character in it.
      ...(errors && { errors: errors.map((error) => ({ ...error, path: error.path.toWellFormed() })) }),
      ...extensions,
    }),
  }
}

/** The wait that a 503 asks for where the error names none. */
const UNAVAILABLE_SECONDS = 1

/**
 * Returns the headers of a refusal: the credential, the time of the next attempt, the version, the methods and the
 * limit.
 */
function headersOf(
  { code, options }: DomainError,
  status: number,
  hasBearer: boolean,
): Record<string, string> {
  const { allow, exceeded, version } = options
  const retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 ? UNAVAILABLE_SECONDS : undefined)
  // A wrong signature is no missing credential, so its refusal asks for none.
  const asksForCredential = status === 401 && code !== 'invalid_signature'
  // Only `unauthenticated` is about the bearer token; the other codes are about a password or a second factor.
  const challenge = code === 'unauthenticated' && hasBearer ? BAD_BEARER : 'Bearer'
  return {
    ...(asksForCredential && { 'www-authenticate': challenge }),
    ...(version !== undefined && { etag: etagOf(version) }),
    ...(allow && { allow: allow.join(', ') }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(exceeded && rateLimit(exceeded, retryAfterSeconds)),
  }
}

/** The challenge after an invalid bearer token (RFC 6750, section 3.1). */
const BAD_BEARER = 'Bearer error="invalid_token"'

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
const rateLimit = ({ policy, limit, windowSeconds }: ExceededLimit, seconds = windowSeconds) => ({
  'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
  ratelimit: `"${policy}";r=0;t=${seconds}`,
})
