import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isReachable } from '#lib/webhooks/reachable-address'

/** Public resolvers and web sites, and the exceptions that IANA's registries name. */
const REACHABLE = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.0.9',
  '192.0.0.10',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2001:1::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:20::1',
  '2001:30::1',
  '2620:4f:8000::1',
  '2a00::1',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '2002:0808:0808::1',
]

const UNREACHABLE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::8.8.8.8%1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '0:0:0:0:0:ffff:0a00:0001',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:0:7f00:1::f7f7:f7f7',
  '2001:0:808:808::80ff:fffe',
  '2001:2::1',
  '2001:10::1',
  '2001:100::1',
  '2001:db8::1',
  '2002:7f00:0001::1',
  '2002:0a00:0001::1',
  '2002:c0a8:0101::1',
  '3fff::1',
  '3fff:fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '',
  'localhost',
  'example.com',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '010.0.0.1',
]

describe('an address that a webhook may be sent to', () => {
  it.each(REACHABLE)('is %s, which is globally reachable', (address) => {
    expect(isReachable(address)).toBe(true)
  })

  it.each(UNREACHABLE)('is not "%s"', (address) => {
    expect(isReachable(address)).toBe(false)
  })

  it('is judged alike as IPv4, mapped, behind NAT64 and in 6to4', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
        const forms = [`::ffff:${address}`, `::ffff:${groups}`, `64:ff9b::${groups}`, `2002:${groups}::1`]
        expect(forms.map(isReachable)).toEqual(forms.map(() => isReachable(address)))
      }),
    )
  })
})
