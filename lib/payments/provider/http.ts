import http from 'node:http'
import https from 'node:https'
import { DomainError } from '#lib/kernel/domain-error'
import type { ProviderHttp, ProviderRequest } from './provider.ts'

const TIMEOUT_MILLISECONDS = 5_000
const ANSWER_MAX_BYTES = 1024 * 1024
const GATEWAY_TIMEOUT = 504

/**
 * Calls providers over Node's own client: loading the global `fetch` would cost a cold start 25 ms. Follows no
 * redirects. Throws `provider_unavailable` for what `ProviderHttp` says, and for an answer over 1 MiB.
 */
export const providerHttp: ProviderHttp = async (request) => {
  // The signal bounds everything; a socket's own time-out would start anew with every byte.
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
  const answer = await exchange(request, signal)
  if (answer.status < 500 && answer.status !== 429) return answer
  if (request.answersWith?.includes(answer.status)) return answer
  const error = new Error(`${new URL(request.url).host} answered ${answer.status}`)
  // A gateway gave up on what may be going on behind it.
  throw answer.status === GATEWAY_TIMEOUT ? Object.assign(error, { code: 'ETIMEDOUT' }) : error
}

const exchange = ({ method, url, headers, body }: ProviderRequest, signal: AbortSignal) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(url, {
      method,
      headers: { accept: 'application/json', ...length, ...headers },
      signal,
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let size = 0
      incoming.on('error', reject)
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > ANSWER_MAX_BYTES) outgoing.destroy(new Error('The answer is too large'))
        else chunks.push(chunk)
      })
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    outgoing.end(body)
  })
