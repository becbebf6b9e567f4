import { type Dependencies, lazyDeps, type Resolved } from '#lib/config/config'
import { noteProvider } from '#lib/http/stack/log-request'
import { STACK_DEPS, serveHttp } from '#lib/http/stack/serve-http'
import { DomainError } from '#lib/kernel/domain-error'
import { type HttpEvent, limitBody } from './request.ts'
import { splitRoute } from './route.ts'
import type { CallbackAnswer, CallbackRequest, CallbackSpec, HttpHandler } from './spec.ts'

const CALLBACK_BODY_MAX_BYTES = 256 * 1024

type Declaration<D extends Dependencies> = Omit<CallbackSpec, 'kind' | 'deps' | 'run'> & {
  deps: D
  run: (request: CallbackRequest, deps: Resolved<D>) => Promise<CallbackAnswer>
}

/**
 * Declares an endpoint that payment providers call back: the sibling of `endpoint`, with raw bytes in place of parsed
 * input. The same handler serves the gateway's route and a function URL, whose path has no parameter: there
 * the provider is the path's last segment.
 */
export function callback<D extends Dependencies>(
  declaration: Declaration<D>,
): { spec: CallbackSpec; handler: HttpHandler } {
  const spec: CallbackSpec = { kind: 'callback', ...declaration }
  return { spec, handler: serveCallback(spec) }
}

/** Everything a callback depends on, what the builder itself needs included. */
export const allCallbackDeps = ({ deps }: CallbackSpec): Dependencies => ({ ...STACK_DEPS, ...deps })

/** Serves a callback; `overrides` replaces dependencies by name. */
export function serveCallback(spec: CallbackSpec, overrides: Record<string, unknown> = {}): HttpHandler {
  const deps = lazyDeps(spec.deps, overrides)
  const methods = spec.routes.map((route) => splitRoute(route).method)
  const stack = { route: spec.routes[0], compresses: false, isPage: false }
  return serveHttp(stack, overrides, async (event, context) => {
    // A function URL passes every method on.
    if (!methods.includes(event.requestContext.http.method)) {
      throw new DomainError('method_not_allowed', { allow: methods })
    }
    limitBody(event, CALLBACK_BODY_MAX_BYTES)
    const request = requestOf(event, context.awsRequestId)
    noteProvider(context, request.provider)
    const { status, headers, body } = await spec.run(request, deps())
    return { statusCode: status, headers: { 'cache-control': 'no-store', ...headers }, body }
  })
}

const requestOf = (event: HttpEvent, requestId: string): CallbackRequest => ({
  provider: event.pathParameters?.['provider'] ?? event.rawPath.split('/').filter(Boolean).at(-1) ?? '',
  method: event.requestContext.http.method,
  rawBody: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  headers: Object.fromEntries(
    Object.entries(event.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  ),
  rawQuery: event.rawQueryString,
  requestId,
})
