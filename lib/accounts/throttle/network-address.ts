import { createHash } from 'node:crypto'
import type { UserId } from '#lib/kernel/id'

/**
 * Whose address it is, as far as counting goes: an IPv4 address, or the /64 network of an IPv6 address, since
 * whoever has one of its addresses has them all.
 */
export function networkOf(ipAddress: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ipAddress)?.[1]
  if (mapped !== undefined || !ipAddress.includes(':')) return mapped ?? ipAddress
  const [head = '', tail = ''] = ipAddress.toLowerCase().split('::')
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean))
  const missing = 8 - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array.from({ length: missing }, () => '0'), ...(after ?? [])]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

const KNOWN_MAX = 20

/** What an account keeps of an address from which its owner came: a hash, of use to nobody else. */
export const addressMark = (id: UserId, ipAddress: string): string =>
  createHash('sha256')
    .update(`${id}\n${networkOf(ipAddress)}`)
    .digest('base64url')
    .slice(0, 16)

/** The addresses known to an account once its owner has come from one more: the last twenty. */
export const withAddress = (id: UserId, known: readonly string[], ipAddress: string): string[] => {
  const mark = addressMark(id, ipAddress)
  return known.includes(mark) ? [...known] : [...known, mark].slice(-KNOWN_MAX)
}
