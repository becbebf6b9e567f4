import { type Clock, HOUR_SECONDS, MINUTE_SECONDS } from '#lib/kernel/clock'
import type { DomainError } from '#lib/kernel/domain-error'
import { countedOf } from './counters.ts'
import { limitsByNetwork, type NetworkLimit, refusalBy } from './limits.ts'
import type { Throttle } from './throttle.ts'

/** The limit of accounts that one network may register in an hour. */
export const REGISTRATIONS: NetworkLimit = { policy: 'registration', limit: 20, windowSeconds: HOUR_SECONDS }

/** The limit of tokens of mailed links that one network may show in an hour: far more than people do by hand. */
export const LINK_TOKENS: NetworkLimit = { policy: 'mailed-link', limit: 100, windowSeconds: HOUR_SECONDS }

/** The limit of mails that one network may request in an hour, to any address. */
export const MAIL_REQUESTS: NetworkLimit = { policy: 'mail-network', limit: 10, windowSeconds: HOUR_SECONDS }

/** The limit of passwords and passkeys, right or wrong, that one network may have checked in 15 minutes, over all endpoints. */
export const PASSWORD_CHECKS: NetworkLimit = {
  policy: 'password-checks',
  limit: 300,
  windowSeconds: 15 * MINUTE_SECONDS,
}

type Deps = { throttle: Throttle; now: Clock }

/** Counts an attempt of a network, successful or not. Throws `too_many_requests` beyond the limit. */
export async function countAttempt(deps: Deps, limit: NetworkLimit, ipAddress: string): Promise<void> {
  const refusal = await countRequest(deps, limit, ipAddress)
  if (refusal) throw refusal
}

/** Counts a request as `countAttempt` does, for callers who must not learn of the limit: returns the error. */
export async function countRequest(
  { throttle, now }: Deps,
  { limit, ...policy }: NetworkLimit,
  ipAddress: string,
): Promise<DomainError | undefined> {
  const at = now()
  const allowed = limit * throttle.networkLimitFactor
  const tallies = await Promise.all(
    limitsByNetwork({ ...policy, limit: allowed }, ipAddress).map(async (each) => ({
      limit: each,
      tally: await throttle.counters.add(each, at, { counted: 1 }),
    })),
  )
  const exceeded = tallies.filter((each) => countedOf(each.tally) > each.limit.limit)
  return refusalBy(exceeded, at, 'attempts')
}
