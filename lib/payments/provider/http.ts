import { outgoingCall } from '#lib/http/outgoing-call'
import { DomainError } from '#lib/kernel/domain-error'
import type { ProviderHttp, ProviderRequest } from './provider.ts'

const TIMEOUT_MILLISECONDS = 5_000
const ANSWER_MAX_BYTES = 1024 * 1024
const GATEWAY_TIMEOUT = 504

/**
 * Calls providers, within five seconds in all where a call is repeated. Throws `provider_unavailable` for what
 * `ProviderHttp` says, and for an answer over 1 MiB.
 */
export const providerHttp: ProviderHttp = async (request) => {
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
  const isRepeatable = request.repeatable ?? request.method === 'GET'
  try {
    return await settled(request, signal).catch((error: unknown) => {
      if (!isRepeatable || signal.aborted) throw error
      return settled(request, signal)
    })
  } catch (cause) {
    throw new DomainError('provider_unavailable', { cause })
  }
}

async function settled(request: ProviderRequest, signal: AbortSignal) {
  const answer = await outgoingCall(request, { signal, maxBytes: ANSWER_MAX_BYTES })
  if (answer.status < 500 && answer.status !== 429) return answer
  if (request.answersWith?.includes(answer.status)) return answer
  const error = new Error(`${new URL(request.url).host} answered ${answer.status}`)
  // A gateway gave up on what may be going on behind it.
  throw answer.status === GATEWAY_TIMEOUT ? Object.assign(error, { code: 'ETIMEDOUT' }) : error
}
