import type { Context } from 'aws-lambda'
import { describeCause } from '#lib/http/describe-cause'
import { asDomainError } from '#lib/http/fault'
import { log, writeMetric } from '#lib/http/log'
import type { Settings } from '#lib/http/runtime'
import type { Clock } from '#lib/kernel/clock'
import { hmac } from '#lib/kernel/signatures'
import type { Answered, HttpMiddleware } from './middleware.ts'

/** Facts for the log line of an invocation: when it began, and the caller or provider that its handler recognised. */
const noted = new WeakMap<Context, { startedAtMilliseconds: number; caller?: string; provider?: string }>()

/** Names the caller in the log line of an invocation by an opaque id; null for an unknown caller. */
export function noteCaller(context: Context, caller: string | null): void {
  const known = noted.get(context)
  if (known && caller !== null) known.caller = caller
}

/** Matches the name of a provider account. Only such names are logged: a stranger may call any path. */
const PROVIDER_NAME = /^[a-z0-9-]{1,40}$/

/** Names the payment provider of a callback in the log line of an invocation. */
export function noteProvider(context: Context, provider: string): void {
  const known = noted.get(context)
  if (known && PROVIDER_NAME.test(provider)) known.provider = provider
}

const HASH_LENGTH = 16

/**
 * Returns the keyed hash of a caller's address: the same for the same address, and of no use without the key, which is the
 * first origin secret. Undefined for a stack without CloudFront, which has no origin secrets.
 */
export function hashAddress(address: string, [key]: readonly string[]): string | undefined {
  if (key === undefined) return undefined
  return hmac('sha256', key, [`address ${address}`], 'hex').slice(0, HASH_LENGTH)
}

/**
 * Writes the canonical line of a request: route, status, problem code, duration and who called, as an opaque id. A line
 * holds no personal data, no secret and no value of a query; an error is logged with its cause only for a 5xx.
 */
export function logRequest(route: string, deps: () => { settings: Settings; now: Clock }): HttpMiddleware {
  const write = ({ event, context, response, error }: Answered) => {
    const { settings, now } = deps()
    const endedAt = now()
    const { startedAtMilliseconds = endedAt.getTime(), caller, provider } = noted.get(context) ?? {}
    // API Gateway sends 200 for an answer without a status.
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
      addressHash: hashAddress(event.requestContext.http.sourceIp, settings.ORIGIN_SECRETS),
      provider,
      code: fault?.code,
      ...(status >= 500 && { cause: describeCause(fault?.options.cause ?? error) }),
    })
    if (fault?.code === 'invalid_signature') {
      // Only a configured provider's callback gets as far as its signature: the dimension has few values.
      const by = provider === undefined ? {} : { Provider: provider }
      writeMetric(settings.STAGE, { name: 'InvalidSignature', value: 1, unit: 'Count', by }, endedAt)
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
