import type { Context } from 'aws-lambda'
import { asDomainError } from '#lib/http/fault'
import { log, writeMetric } from '#lib/http/log'
import type { Settings } from '#lib/http/runtime'
import type { Clock } from '#lib/kernel/clock'
import type { Answered, HttpMiddleware } from './middleware.ts'

/** What the log line of an invocation says that only its beginning and its handler know. */
const noted = new WeakMap<Context, { startedAtMilliseconds: number; caller?: string }>()

/** Names the caller in the log line of an invocation, by an opaque id; null is nobody. */
export function noteCaller(context: Context, caller: string | null): void {
  const known = noted.get(context)
  if (known && caller !== null) known.caller = caller
}

/**
 * The canonical line of a request: route, status, problem code, duration and who called, as an opaque id. Nothing
 * personal or secret is in it, no value of a query either; an error is logged with its cause only for a 5xx.
 */
export function logRequest(route: string, deps: () => { settings: Settings; now: Clock }): HttpMiddleware {
  const write = ({ context, response, error }: Answered) => {
    const { settings, now } = deps()
    const endedAt = now()
    const { startedAtMilliseconds = endedAt.getTime(), caller } = noted.get(context) ?? {}
    const status = response?.statusCode ?? 200
    const fault = error === null || error === undefined ? undefined : asDomainError(error)
    log(settings, status >= 500 ? 'error' : 'info', {
      time: endedAt.toISOString(),
      message: `${route} ${status}`,
      route,
      status,
      requestId: context.awsRequestId,
      durationMilliseconds: endedAt.getTime() - startedAtMilliseconds,
      caller,
      code: fault?.code,
      ...(status >= 500 && { cause: describe(fault?.options.cause ?? error) }),
    })
    if (fault?.code === 'invalid_signature') {
      writeMetric(settings.STAGE, { name: 'InvalidSignature', value: 1, unit: 'Count' }, endedAt)
    }
  }
  return {
    before: ({ context }) => {
      noted.set(context, { startedAtMilliseconds: deps().now().getTime() })
    },
    after: write,
    onError: write,
  }
}

const describe = (cause: unknown): unknown =>
  cause instanceof Error
    ? {
        name: cause.name,
        message: cause.message,
        stack: cause.stack,
        cause: cause.cause && describe(cause.cause),
      }
    : cause
