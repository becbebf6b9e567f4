import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Blocks that IANA's special-purpose registries do not call globally reachable (iana-ipv4-special-registry and
 * iana-ipv6-special-registry, November 2026), and multicast.
 */
const UNREACHABLE = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  ipv6: ['2001::/23', '2001:db8::/32', '3fff::/20'],
} as const

/** Parts of those blocks that the registries do call globally reachable. */
const REACHABLE = {
  ipv4: ['192.0.0.9/32', '192.0.0.10/32'],
  ipv6: [
    '2001:1::1/128',
    '2001:1::2/128',
    '2001:1::3/128',
    '2001:3::/32',
    '2001:4:112::/48',
    '2001:20::/28',
    '2001:30::/28',
  ],
} as const

/** IANA's space of IPv6 for global unicast: addresses outside it are not reachable. */
const GLOBAL_UNICAST = blockList(['2000::/3'], 'ipv6')

const BLOCKED = { ipv4: blockList(UNREACHABLE.ipv4, 'ipv4'), ipv6: blockList(UNREACHABLE.ipv6, 'ipv6') }
const EXCEPTED = { ipv4: blockList(REACHABLE.ipv4, 'ipv4'), ipv6: blockList(REACHABLE.ipv6, 'ipv6') }

/**
 * Whether an IP address is globally reachable by IANA's registries. Judges an IPv6 address that carries an IPv4 address
 * (mapped, NAT64, 6to4, Teredo) by the IPv4 address. Any other text is not reachable.
 */
export function isReachable(address: string): boolean {
  if (isIPv4(address)) return isOpen(address, 'ipv4')
  // A zone (`fe80::1%eth0`) belongs to one link only.
  if (!isIPv6(address) || address.includes('%')) return false
  const embedded = embeddedAddresses(groupsOf(address))
  if (embedded.length > 0) return embedded.every((each) => isOpen(each, 'ipv4'))
  return GLOBAL_UNICAST.check(address, 'ipv6') && isOpen(address, 'ipv6')
}

const isOpen = (address: string, family: 'ipv4' | 'ipv6'): boolean =>
  EXCEPTED[family].check(address, family) || !BLOCKED[family].check(address, family)

/** Returns the IPv4 addresses that an IPv6 address leads to: RFC 4291 section 2.5.5, 6052, 3056 and 4380. */
function embeddedAddresses(groups: readonly number[]): string[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const isZero = (...values: number[]) => values.every((value) => value === 0)
  // Mapped, `::ffff:0:0/96`.
  if (isZero(a, b, c, d, e) && f === 0xffff) return [ipv4Of(g, h)]
  // NAT64, `64:ff9b::/96`.
  if (a === 0x64 && b === 0xff9b && isZero(c, d, e, f)) return [ipv4Of(g, h)]
  // 6to4, `2002::/16`.
  if (a === 0x2002) return [ipv4Of(b, c)]
  // Teredo, `2001::/32`: the server's address, and the client's with every bit inverted.
  if (a === 0x2001 && b === 0) return [ipv4Of(c, d), ipv4Of(g ^ 0xffff, h ^ 0xffff)]
  return []
}

const ipv4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

/** Returns the eight groups of a valid IPv6 address, of which the last two may be dotted, as in `::ffff:192.0.2.1`. */
function groupsOf(address: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, ...bytes] = dotted ?? []
  const [w = 0, x = 0, y = 0, z = 0] = bytes.map(Number)
  const text = dotted
    ? `${address.slice(0, dotted.index)}${(w * 256 + x).toString(16)}:${(y * 256 + z).toString(16)}`
    : address
  const [head = '', tail] = text.split('::')
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  if (tail === undefined) return groups(head)
  const missing = 8 - groups(head).length - groups(tail).length
  return [...groups(head), ...Array.from({ length: missing }, () => 0), ...groups(tail)]
}

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix = ''] = subnet.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
