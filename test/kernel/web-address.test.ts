import { describe, expect, it } from 'vitest'
import { webAddress } from '#lib/kernel/web-address'

const LABELS_OF_248 = `${'a'.repeat(61)}.`.repeat(4)

describe('a web address', () => {
  const address = webAddress({ max: 400 })

  it.each([
    'https://receiver.example.com/hooks?a=1#part',
    'http://localhost:3000',
    'https://203.0.113.7/',
    'https://[2001:db8::1]:8443/',
    'https://my_host.example.com./',
    'https://bücher.example/straße',
    `https://${'a'.repeat(63)}.example/`,
    `https://${LABELS_OF_248}a.com/`,
    'https://example.com/@awa',
    'https://example.com:1/',
    'https://example.com:65535/',
  ])('is taken: %s', (value) => {
    expect(address.parse(value)).toBe(value)
  })

  it('is taken without the blanks at its ends and without line breaks', () => {
    expect(address.parse(' https://example.com/a\nb\n')).toBe('https://example.com/ab')
  })

  it.each([
    ['half a character', 'https://example.com/\ud800'],
    ['NUL', 'https://example.com/\u0000a'],
    ['a blank', 'https://example.com/a b'],
    ['a backslash, which parsers take for a slash', 'https://example.com\\@evil.example/'],
    ['a character that turns the direction of reading', 'https://example.com/\u202ea'],
    ['a soft hyphen, which parsers drop', 'https://exam\u00adple.com/'],
    ['a user name', 'https://awa@example.com/'],
    ['an empty user name', 'https://@example.com/'],
    ['a password', 'https://:secret@example.com/'],
    ['port 0', 'https://example.com:0/'],
    ['a port above all', 'https://example.com:65536/'],
    ['an empty label', 'https://a..example.com/'],
    ['an empty first label', 'https://.example.com/'],
    ['two dots at the end', 'https://example.com../'],
    ['a label of 64 characters', `https://${'a'.repeat(64)}.example/`],
    ['a name of 254 characters', `https://${LABELS_OF_248}aa.com/`],
    ['a label that begins with a hyphen', 'https://-a.example/'],
    ['a label that ends with a hyphen', 'https://a-.example/'],
    ['a wildcard', 'https://*.example.com/'],
    ['a character that no name has', 'https://a!b.example/'],
    ['a number of too many parts', 'https://1.2.3.4.5/'],
    ['another scheme', 'ftp://example.com/'],
    ['no scheme', 'example.com'],
  ])('is refused that holds %s', (_what, value) => {
    expect(address.safeParse(value).success).toBe(false)
  })

  it('a refused address says what it must not hold', () => {
    expect(address.safeParse('https://awa@example.com/').error?.issues).toMatchObject([
      { code: 'custom', message: 'must hold no user name and no password' },
    ])
  })

  it('an app’s address has any names of pages, and no user name', () => {
    const app = webAddress({ max: 100, scheme: /^[a-z]+$/ })
    expect(app.safeParse('myapp://payment-_!/done').success).toBe(true)
    expect(app.safeParse('myapp://awa:secret@payment/done').success).toBe(false)
  })
})
