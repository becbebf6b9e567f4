import { type Clock, secondsAfter } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ProviderHttp } from '#lib/providers/provider'

/** A token is replaced this long before it expires, so that it does not expire while a request is on its way. */
const MARGIN_SECONDS = 60

type IssuedToken = { token: string; seconds: number }

/**
 * Sends each request with a bearer token, which is kept for its life. `ask` returns one and its life in seconds. A 401
 * ends the token: the next request asks for another. Without a token a request was certainly not sent, and its error
 * says so.
 */
export function withToken(http: ProviderHttp, now: Clock, ask: () => Promise<IssuedToken>): ProviderHttp {
  let known: { token: string; endsAt: Date } | undefined
  let asking: Promise<IssuedToken> | undefined
  const current = async (): Promise<string> => {
    if (known && known.endsAt > now()) return known.token
    asking ??= ask()
      .catch(neverSent)
      .finally(() => {
        asking = undefined
      })
    const { token, seconds } = await asking
    known = { token, endsAt: secondsAfter(now(), seconds - MARGIN_SECONDS) }
    return token
  }
  return async (request) => {
    const headers = { ...request.headers, authorization: `Bearer ${await current()}` }
    const answer = await http({ ...request, headers })
    if (answer.status === 401) known = undefined
    return answer
  }
}

/** Rethrows a failure to get a token with the status 401: a refused request may be repeated, and so may one never sent. */
function neverSent(error: unknown): never {
  if (!(error instanceof DomainError)) throw error
  const cause = Object.assign(new Error('No token was given', { cause: error.options.cause }), {
    status: 401,
  })
  throw new DomainError(error.code, { ...error.options, cause })
}
