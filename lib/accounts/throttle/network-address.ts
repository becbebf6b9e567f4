import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { UserId } from '#lib/kernel/id'

/**
 * The network that an address is counted under: an IPv4 address itself, or the /64 of an IPv6 address, all of which
 * one subscriber holds. An IPv4 address inside an IPv6 one counts as IPv4.
 */
export function networkOf(ipAddress: string): string {
  if (!ipaddr.isValid(ipAddress)) return ipAddress
  const address = ipaddr.process(ipAddress)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

const KNOWN_MAX = 20

/** What an account stores of an address from which its owner signed in: a hash that other accounts cannot match. */
export const addressMark = (id: UserId, ipAddress: string): string =>
  createHash('sha256')
    .update(`${id}\n${networkOf(ipAddress)}`)
    .digest('base64url')
    .slice(0, 16)

/** The networks known to an account with one more, the newest twenty. */
export const withAddress = (id: UserId, known: readonly string[], ipAddress: string): string[] => {
  const mark = addressMark(id, ipAddress)
  return known.includes(mark) ? [...known] : [...known, mark].slice(-KNOWN_MAX)
}

/** What an account stores of a browser in which its owner signed in: a hash of its `User-Agent`. */
export const browserMark = (id: UserId, userAgent: string): string =>
  createHash('sha256').update(`${id}\nbrowser\n${userAgent}`).digest('base64url').slice(0, 16)

/** The browsers known to an account with one more, the newest twenty. A client that names none adds none. */
export function withBrowser(id: UserId, known: readonly string[], userAgent: string | null): string[] {
  if (userAgent === null) return [...known]
  const mark = browserMark(id, userAgent)
  return known.includes(mark) ? [...known] : [...known, mark].slice(-KNOWN_MAX)
}

/** The hash under which the requests of a network are counted. The address itself is not stored. */
export const networkMark = (ipAddress: string): string =>
  createHash('sha256')
    .update(`network\n${networkOf(ipAddress)}`)
    .digest('base64url')
    .slice(0, 22)
