import { API_VERSION } from '#lib/http/api-version'
import { header } from '#lib/http/request'
import type { Settings } from '#lib/http/runtime'
import type { Answered, HttpMiddleware } from './middleware.ts'

/**
 * Adds the headers that every answer of a function carries, and CORS for the configured origins. A page never sends its
 * address to other sites as `Referer`: the address may hold the token of a mailed link.
 */
export function sendHeaders(deps: () => { settings: Settings }): HttpMiddleware {
  const complete = ({ event, context, response }: Answered) => {
    if (!response) return
    const cors = corsHeaders(header(event, 'origin'), deps().settings.CORS_ORIGINS)
    const own = response.headers ?? {}
    // The answer's own headers replace these; only its `Vary` is joined with that of CORS.
    response.headers = {
      'x-request-id': context.awsRequestId,
      'api-version': API_VERSION,
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...cors,
      ...(cors['vary'] === undefined ? own : withVary(own, cors['vary'])),
    }
  }
  return { after: complete, onError: complete }
}

/** Returns the headers of CORS, which let a page of a configured origin read the answer. */
export const corsHeaders = (
  origin: string | undefined,
  origins: readonly string[],
): Record<string, string> => {
  if (origins.length === 0) return {}
  if (origin === undefined || !origins.some((allowed) => isAllowed(origin, allowed)))
    return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers':
      'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, API-Version, Idempotent-Replayed',
  }
}

/** Whether a configured origin allows this one: `*` allows every origin, and `http://localhost:*` one host at any port. */
const isAllowed = (origin: string, allowed: string): boolean =>
  allowed === '*' ||
  allowed === origin ||
  (allowed.endsWith(':*') && origin.replace(/:\d{1,5}$/, '') === allowed.slice(0, -2))

type Headers = Record<string, boolean | number | string>

/** Adds names of request headers to the `Vary` of an answer. */
export function withVary(headers: Headers, ...names: string[]): Headers {
  const known = String(headers['vary'] ?? '')
    .split(/, */)
    .filter(Boolean)
  return { ...headers, vary: [...new Set([...known, ...names])].join(', ') }
}
