import { type Clock, secondsAfter } from '#lib/kernel/clock'
import type { ProviderHttp } from '#lib/payments/provider/provider'

/** So that a token does not end on its way. */
const MARGIN_SECONDS = 60

type Given = { token: string; seconds: number }

/**
 * Sends each request with a bearer token, which is kept for its life. `ask` gets one and says for how many seconds. An
 * answer that refuses the token, a 401 unless told, ends it: the next request asks for another.
 */
export function withToken(
  http: ProviderHttp,
  now: Clock,
  ask: () => Promise<Given>,
  isRefused: (answer: { status: number; body: string }) => boolean = ({ status }) => status === 401,
): ProviderHttp {
  let known: { token: string; endsAt: Date } | undefined
  let asking: Promise<Given> | undefined
  const current = async (): Promise<string> => {
    if (known && known.endsAt > now()) return known.token
    asking ??= ask().finally(() => {
      asking = undefined
    })
    const { token, seconds } = await asking
    known = { token, endsAt: secondsAfter(now(), seconds - MARGIN_SECONDS) }
    return token
  }
  return async (request) => {
    const headers = { ...request.headers, authorization: `Bearer ${await current()}` }
    const answer = await http({ ...request, headers })
    if (isRefused(answer)) known = undefined
    return answer
  }
}
