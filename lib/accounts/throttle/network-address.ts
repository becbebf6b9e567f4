import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'

/**
 * Returns the network that an address is counted under: an IPv4 address itself, or the /64 of an IPv6 address, because one
 * subscriber has a whole /64. An IPv4 address inside an IPv6 one counts as IPv4.
 */
export function networkOf(ipAddress: string): string {
  if (!ipaddr.isValid(ipAddress)) return ipAddress
  const address = ipaddr.process(ipAddress)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** Returns the hash, of 132 bits, under which the requests of a network are counted. The address itself is not stored. */
export const networkMark = (ipAddress: string): string =>
  createHash('sha256')
    .update(`network\n${networkOf(ipAddress)}`)
    .digest('base64url')
    .slice(0, 22)
