import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { API_VERSION } from './api-version.ts'
import { asDomainError, problemAnswer } from './problem.ts'
import { type HttpEvent, header } from './request.ts'
import { stateOf } from './state.ts'

/** What every function that answers HTTP reads of the configuration. */
export type Settings = {
  PUBLIC_URL: string
  CORS_ORIGINS: readonly string[]
  LOG_LEVEL: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** A middleware of ours, whatever the endpoint. */
export type HttpMiddleware = MiddlewareObj<HttpEvent, APIGatewayProxyStructuredResultV2, Error, Context>

const LEVELS = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const

/** One JSON line on standard output, unless the configured level is above it. */
export function log(
  settings: Settings,
  level: 'info' | 'warn' | 'error',
  line: Record<string, unknown>,
): void {
  if (LEVELS[level] >= LEVELS[settings.LOG_LEVEL]) console.log(JSON.stringify({ level, ...line }))
}

/**
 * The canonical line of a request: route, status, problem code, duration and who called, as an opaque id.
 * Nothing personal or secret is in it; of what was thrown, only a 5xx is shown, with its cause.
 */
export const observe = (route: string, settings: () => Settings, now: () => Date): HttpMiddleware => {
  const write = ({ context, response, error }: Parameters<NonNullable<HttpMiddleware['after']>>[0]) => {
    const { caller, startedAtMilliseconds } = stateOf(context)
    const status = response?.statusCode ?? 200
    const fault = error === null || error === undefined ? undefined : asDomainError(error)
    log(settings(), status >= 500 ? 'error' : 'info', {
      time: now().toISOString(),
      message: `${route} ${status}`,
      route,
      status,
      requestId: context.awsRequestId,
      durationMilliseconds: now().getTime() - startedAtMilliseconds,
      caller,
      code: fault?.code,
      ...(status >= 500 && { cause: describe(fault?.options.cause ?? error) }),
      ...(fault?.code === 'invalid_signature' && metric('InvalidSignature', now())),
    })
  }
  return {
    before: ({ context }) => {
      stateOf(context).startedAtMilliseconds = now().getTime()
    },
    after: write,
    onError: write,
  }
}

/** A counted metric in CloudWatch's embedded metric format, read from the log line itself. */
export const metric = (name: string, at: Date): Record<string, unknown> => ({
  [name]: 1,
  _aws: {
    Timestamp: at.getTime(),
    CloudWatchMetrics: [
      { Namespace: 'PlatformApi', Dimensions: [[]], Metrics: [{ Name: name, Unit: 'Count' }] },
    ],
  },
})

const describe = (cause: unknown): unknown =>
  cause instanceof Error
    ? {
        name: cause.name,
        message: cause.message,
        stack: cause.stack,
        cause: cause.cause && describe(cause.cause),
      }
    : cause

/** Turns whatever was thrown into a problem document. */
export const answerProblems = (settings: () => Settings): HttpMiddleware => ({
  onError: (request) => {
    request.response = problemAnswer(
      asDomainError(request.error),
      request.context.awsRequestId,
      settings().PUBLIC_URL,
    )
  },
})

/** The headers that every answer of a function carries, and CORS for the configured origins. */
export const sendHeaders = (settings: () => Settings): HttpMiddleware => {
  const complete: HttpMiddleware['after'] = ({ event, context, response }) => {
    if (!response) return
    response.headers = {
      'x-request-id': context.awsRequestId,
      'api-version': API_VERSION,
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      ...corsHeaders(header(event, 'origin'), settings().CORS_ORIGINS),
      ...response.headers,
    }
  }
  return { after: complete, onError: complete }
}

/** What a browser needs to hear from us when its page's origin is one of the configured ones. */
export const corsHeaders = (
  origin: string | undefined,
  origins: readonly string[],
): Record<string, string> => {
  if (origins.length === 0) return {}
  if (origin === undefined || !(origins.includes(origin) || origins.includes('*'))) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers':
      'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, API-Version, Idempotent-Replayed',
  }
}
