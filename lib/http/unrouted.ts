import { DomainError } from '#lib/kernel/domain-error'
import type { RequestFacts } from './request.ts'
import { type Route, routesOf, splitRoute } from './route.ts'

/** The headers that pages of other origins may send. */
export const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, ' +
  // Headers of tracers; their values are not used.
  'traceparent, tracestate, baggage, sentry-trace, X-Request-Id, ' +
  // Headers of upload widgets; they are not used either.
  'X-Requested-With, Cache-Control'

/**
 * Answers requests without a route: a preflight with 204 and the path's methods; a known path with another method with
 * `method_not_allowed` and `Allow`; all others with `not_found`.
 */
export function answerUnrouted({ method, path }: RequestFacts, routes: readonly Route[]) {
  const methods = [...new Set(routesOf(path, routes).map((route) => splitRoute(route).method))]
  const allow = methods.join(', ')
  if (method === 'OPTIONS') {
    return {
      status: 204 as const,
      headers: {
        allow,
        'access-control-allow-methods': allow,
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': '600',
      },
    }
  }
  if (methods.length > 0) throw new DomainError('method_not_allowed', { allow: methods })
  throw new DomainError('not_found', { detail: 'There is no such route' })
}
