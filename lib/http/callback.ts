import middy from '@middy/core'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Dependencies, Resolved } from '#lib/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError, type ProblemCode } from '#lib/kernel/domain-error'
import { lazyDeps } from './lazy-deps.ts'
import { answerProblems, observe, type Settings, sendHeaders } from './observe.ts'
import { type HttpEvent, limitBody } from './request.ts'
import { type Route, splitRoute } from './route.ts'
import { clock, settings } from './runtime.ts'
import type { HttpHandler } from './spec.ts'

const CALLBACK_BODY_MAX_BYTES = 256 * 1024

/** A callback as it arrived: nothing of it is parsed, since its signature covers its bytes. */
export type CallbackRequest = {
  provider: string
  method: string
  rawBody: Buffer
  /** By lower-case name; a header sent twice is one value joined by commas. */
  headers: Record<string, string>
  /** As sent, not decoded. */
  rawQuery: string
  requestId: string
}

/** The answer in the form the provider expects. */
export type CallbackAnswer = { status: number; headers?: Record<string, string>; body: string }

/** A callback's declaration. Its route ends in `{provider}`; further methods are routes of their own. */
export type CallbackSpec = {
  routes: readonly [Route, ...Route[]]
  summary: string
  description?: string
  access: 'provider'
  problems: readonly ProblemCode[]
  deps: Dependencies
  run: (request: CallbackRequest, deps: never) => Promise<CallbackAnswer>
}

type Declaration<D extends Dependencies> = Omit<CallbackSpec, 'deps' | 'run' | 'access'> & {
  deps: D
  run: (request: CallbackRequest, deps: Resolved<D>) => Promise<CallbackAnswer>
}

/**
 * Declares an endpoint that others call back: the sibling of `endpoint`, with raw bytes in place of parsed
 * input. The same handler serves the gateway's route and a function URL, whose path has no parameter: there
 * the provider is the path's last segment.
 */
export function callback<D extends Dependencies>(
  declaration: Declaration<D>,
): { spec: CallbackSpec; handler: HttpHandler } {
  const spec = { ...declaration, access: 'provider' } as unknown as CallbackSpec
  return { spec, handler: serveCallback(spec) }
}

/** Everything a callback depends on, what the builder itself needs included. */
export const allCallbackDeps = (spec: Pick<CallbackSpec, 'deps'>): Dependencies => ({
  settings,
  now: clock,
  ...spec.deps,
})

/** The middy stack of a callback; `overrides` replaces dependencies by name. */
export function serveCallback(spec: CallbackSpec, overrides: Record<string, unknown> = {}): HttpHandler {
  const deps = lazyDeps(allCallbackDeps(spec), overrides)
  const settingsOf = () => deps()['settings'] as Settings
  const methods = spec.routes.map((route) => splitRoute(route).method)

  return middy<HttpEvent, APIGatewayProxyStructuredResultV2>()
    .use(observe(spec.routes[0], settingsOf, () => (deps()['now'] as Clock)()))
    .use(sendHeaders(settingsOf))
    .use(answerProblems(settingsOf))
    .handler(async (event, { awsRequestId }) => {
      const { method } = event.requestContext.http
      if (!methods.includes(method)) {
        throw new DomainError('method_not_allowed', { headers: { allow: methods.join(', ') } })
      }
      limitBody(event, CALLBACK_BODY_MAX_BYTES)
      const { status, headers, body } = await spec.run(requestOf(event, awsRequestId), deps() as never)
      return { statusCode: status, headers: { 'cache-control': 'no-store', ...headers }, body }
    }) as unknown as HttpHandler
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
