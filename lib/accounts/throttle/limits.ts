import { type DomainError, tooManyRequests } from '#lib/kernel/domain-error'
import { type Counted, secondsUntilBelow, type Tally } from './counters.ts'
import { networksOf } from './network-address.ts'

/** A limit on the attempts of a subject, as the `RateLimit-Policy` field names it. */
export type Limit = Counted & { policy: string; limit: number }

/** A limit of attempts by one network within a window. */
export type NetworkLimit = Omit<Limit, 'subject'>

/** Returns a limit for each network of an address; `of` names what is counted for each by itself, such as an account. */
export const limitsByNetwork = (
  { policy, limit, windowSeconds }: NetworkLimit,
  ipAddress: string,
  of: readonly string[] = [],
): Limit[] =>
  networksOf(ipAddress).map(({ network, limitFactor }) => ({
    policy,
    limit: limit * limitFactor,
    windowSeconds,
    subject: [policy, ...of, network].join('\n'),
  }))

/** Returns the error of the limit that holds longest, of limits that were exceeded; undefined without one. */
export function refusalBy(
  exceeded: readonly { limit: Limit; tally: Tally }[],
  now: Date,
  attempts: string,
): DomainError | undefined {
  const [longest] = exceeded
    .map(({ limit, tally }) => ({ limit, seconds: secondsUntilBelow(limit, tally, limit.limit, now) }))
    .sort((one, other) => other.seconds - one.seconds)
  if (!longest) return undefined
  const { limit, seconds } = longest
  return tooManyRequests(limit, seconds, `There were too many ${attempts}; try again in ${seconds} seconds`)
}
