import { writeMetric } from '#lib/http/log'
import { outgoingCall } from '#lib/http/outgoing-call'
import { HOUR_SECONDS, systemClock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ProviderHttp, ProviderRequest } from './provider.ts'

const TIMEOUT_MILLISECONDS = 5_000
const ANSWER_MAX_BYTES = 1024 * 1024
const GATEWAY_TIMEOUT = 504
const LONGEST_PAUSE_SECONDS = HOUR_SECONDS

/** An answer that is a failure: its status, and the time of its `Retry-After`. */
class FailedAnswer extends Error {
  override readonly name = 'FailedAnswer'
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly code: string | undefined

  constructor(host: string, status: number, retryAfter: string | undefined) {
    super(`${host} answered ${status}`)
    this.status = status
    this.retryAfterSeconds = secondsIn(retryAfter)
    // The provider's gateway gave up waiting, and the request may still be carried out: its answer counts as lost.
    this.code = status === GATEWAY_TIMEOUT ? 'ETIMEDOUT' : undefined
  }
}

/** Returns the whole seconds until the time that a `Retry-After` names, at most an hour; undefined where it names none. */
function secondsIn(header = ''): number | undefined {
  // A number of seconds, or a date such as `Wed, 21 Oct 2026 07:28:00 GMT`.
  const isNumber = /^\d{1,9}$/.test(header)
  const seconds = isNumber ? Number(header) : Math.ceil((Date.parse(header) - systemClock().getTime()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), LONGEST_PAUSE_SECONDS)
}

/**
 * Calls providers, within five seconds for a call and its repetition. Throws `provider_unavailable` as `ProviderHttp`
 * says, and for an answer over 1 MiB. The error has the time of the provider's `Retry-After`.
 */
export const providerHttp: ProviderHttp = async (request) => {
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
  const isRepeatable = request.repeatable ?? request.method === 'GET'
  try {
    return await callOnce(request, signal).catch((error: unknown) => {
      const isRateLimited = error instanceof FailedAnswer && error.status === 429
      if (!isRepeatable || isRateLimited || signal.aborted) throw error
      return callOnce(request, signal)
    })
  } catch (cause) {
    const { retryAfterSeconds } = cause instanceof FailedAnswer ? cause : {}
    throw new DomainError('provider_unavailable', {
      cause,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
  }
}

async function callOnce(request: ProviderRequest, signal: AbortSignal) {
  const { status, headers, body } = await outgoingCall(request, { signal, maxBytes: ANSWER_MAX_BYTES })
  // `answersWith`: statuses that the caller of this request reads as answers.
  const isAnswer = (status < 500 && status !== 429) || request.answersWith?.includes(status)
  if (isAnswer) return { status, body }
  throw new FailedAnswer(new URL(request.url).host, status, headers['retry-after'])
}

/** The outcome of a call. `failed`: no answer came, or the provider refused our credentials. */
export type CallOutcome = 'answered' | 'failed'

/** Receives the outcome of each call to a provider account. */
export type ReportCall = (account: string, outcome: CallOutcome) => void

/** Returns a function that writes a metric of 1 or 0 for each call of an account: its average is the rate of success. */
export const callReporter =
  (stage: string): ReportCall =>
  (account, outcome) => {
    const value = outcome === 'answered' ? 1 : 0
    const by = { Provider: account }
    writeMetric(stage, { name: 'ProviderSuccess', value, unit: 'Count', by }, systemClock())
  }
