import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { DomainError } from '#lib/kernel/domain-error'
import { outgoingCall } from './outgoing-call.ts'

const MAX_BYTES = 64 * 1024

/**
 * Returns the keys published at an address: fetched at the first use and kept for ten minutes. An unknown key has them
 * fetched again, at most every thirty seconds. If the address does not answer, keys in memory stay valid; without keys in
 * memory a look-up throws `unavailable`.
 */
export function fetchKeys(uri: string): JWTVerifyGetKey {
  const published = createRemoteJWKSet(new URL(uri), { timeoutDuration: 3_000, [customFetch]: download })
  return async (header, token) => {
    try {
      return await published(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error
      const known = published.jwks()
      if (known === undefined) throw new DomainError('unavailable', { cause: error })
      return createLocalJWKSet(known)(header, token)
    }
  }
}

/** Answers with the parts of a `Response` that jose reads: the class itself costs a cold start 25 ms. */
async function download(url: string, { signal }: { signal: AbortSignal }): Promise<Response> {
  const { status, body } = await outgoingCall({ method: 'GET', url }, { signal, maxBytes: MAX_BYTES })
  return { status, json: async () => JSON.parse(body) } as Response
}
