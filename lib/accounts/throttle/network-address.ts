import ipaddr from 'ipaddr.js'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { hmacOf } from '#lib/kernel/signatures'
import { type HmacKeys, newestKey } from '#lib/kernel/signed-token'

/** A network that requests are counted for, and the multiple of a subscriber's limits that it has. */
type CountedNetwork = { network: string; limitFactor: number }

/** A site has a whole /48 of IPv6, with 65,536 networks of subscribers. */
const SITE_LIMIT_FACTOR = 10

/**
 * Returns the networks that an address is counted for, the subscriber's first: an IPv4 address itself, or the /64 of an
 * IPv6 address and its /48. An IPv4 address inside an IPv6 one counts as IPv4.
 */
export function networksOf(ipAddress: string): [CountedNetwork, ...CountedNetwork[]] {
  const subscriber = (network: string) => ({ network, limitFactor: 1 })
  if (!ipaddr.isValid(ipAddress)) return [subscriber(ipAddress)]
  const address = ipaddr.process(ipAddress)
  if (address instanceof ipaddr.IPv4) return [subscriber(address.toString())]
  const prefix = (groups: number) =>
    address.parts
      .slice(0, groups)
      .map((group) => group.toString(16))
      .join(':')
  return [subscriber(`${prefix(4)}::/64`), { network: `${prefix(3)}::/48`, limitFactor: SITE_LIMIT_FACTOR }]
}

/** Returns the subscriber's network of an address: an IPv4 address itself, or the /64 of an IPv6 address. */
export const networkOf = (ipAddress: string): string => networksOf(ipAddress)[0].network

/** A network by its mark alone. */
type MarkedNetwork = { mark: string; limitFactor: number }

/** Returns the marks of an address's networks, as `networksOf` lists them. The same network has another one every UTC day. */
export async function networkMarks(
  { hmacKeys, now }: { hmacKeys: HmacKeys; now: Clock },
  purpose: 'report' | 'view',
  ipAddress: string,
): Promise<[MarkedNetwork, ...MarkedNetwork[]]> {
  const key = await newestKey(hmacKeys)
  const day = timestamp(now()).slice(0, 10)
  const marked = ({ network, limitFactor }: CountedNetwork) => ({
    mark: hmacOf(key, `${purpose}:${day}:${network}`).toString('base64url'),
    limitFactor,
  })
  const [subscriber, ...others] = networksOf(ipAddress)
  return [marked(subscriber), ...others.map(marked)]
}
