import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { DomainError } from '#lib/kernel/domain-error'
import { outgoingCall } from './outgoing-call.ts'

const TIMEOUT_MILLISECONDS = 3_000
const MAX_BYTES = 64 * 1024
const MAX_AGE_MILLISECONDS = 10 * 60_000
const COOLDOWN_MILLISECONDS = 30_000

/**
 * Returns the keys published at an address: fetched at the first use and kept for ten minutes. An unknown key has them
 * fetched again, at most every thirty seconds. If the address does not answer, keys in memory stay valid; without keys in
 * memory a look-up throws `unavailable`.
 *
 * jose's own remote key set does the same over `fetch`, whose globals cost a cold start about 25 ms.
 */
export function fetchKeys(uri: string, milliseconds: () => number = Date.now): JWTVerifyGetKey {
  let keys: JWTVerifyGetKey | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined

  const refresh = (): Promise<void> => {
    pending ??= download(uri)
      .then((set) => {
        keys = createLocalJWKSet(set)
      })
      .catch((error: unknown) => {
        if (keys === undefined) throw new DomainError('unavailable', { cause: error })
      })
      .finally(() => {
        triedAt = milliseconds()
        pending = undefined
      })
    return pending
  }

  return async (header, token) => {
    if (keys === undefined || milliseconds() - triedAt > MAX_AGE_MILLISECONDS) await refresh()
    if (keys === undefined) throw new DomainError('unavailable')
    try {
      return await keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || milliseconds() - triedAt < COOLDOWN_MILLISECONDS)
        throw error
      await refresh()
      return await keys(header, token)
    }
  }
}

async function download(uri: string): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
  const { status, body } = await outgoingCall({ method: 'GET', url: uri }, { signal, maxBytes: MAX_BYTES })
  if (status !== 200) throw new Error(`The key set's address answered ${status}`)
  return JSON.parse(body)
}
