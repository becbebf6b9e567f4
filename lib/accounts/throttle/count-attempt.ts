import type { Clock } from '#lib/kernel/clock'
import { tooManyRequests } from '#lib/kernel/domain-error'
import { countedOf, secondsUntilBelow } from './counters.ts'
import { networkOf } from './network-address.ts'
import type { Throttle } from './throttle.ts'

/** A limit of attempts by one network within a window. */
export type NetworkLimit = { policy: string; limit: number; windowSeconds: number }

/** The limit of accounts that one network may register in an hour. */
export const REGISTRATIONS: NetworkLimit = { policy: 'registration', limit: 20, windowSeconds: 60 * 60 }

/** The limit of tokens of mailed links that one network may show in an hour: far more than people do by hand. */
export const LINK_TOKENS: NetworkLimit = { policy: 'mailed-link', limit: 100, windowSeconds: 60 * 60 }

/** The limit of passwords, right or wrong, that one network may have checked in 15 minutes, over all endpoints. */
export const PASSWORD_CHECKS: NetworkLimit = { policy: 'password-checks', limit: 300, windowSeconds: 15 * 60 }

type Deps = { throttle: Throttle; now: Clock }

/** Counts an attempt of a network, successful or not. Throws `too_many_requests` beyond the limit. */
export async function countAttempt(
  { throttle, now }: Deps,
  { policy, limit, windowSeconds }: NetworkLimit,
  ipAddress: string,
): Promise<void> {
  const at = now()
  // The factor raises the limits of every network alike.
  const allowed = { policy, limit: limit * throttle.networkLimitFactor, windowSeconds }
  const network = { subject: `${policy}\n${networkOf(ipAddress)}`, windowSeconds }
  const tally = await throttle.counters.add(network, at, { counted: 1 })
  if (countedOf(tally) <= allowed.limit) return
  const seconds = secondsUntilBelow(network, tally, allowed.limit, at)
  throw tooManyRequests(allowed, seconds, `There were too many attempts; try again in ${seconds} seconds`)
}
