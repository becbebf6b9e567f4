import { describe, expect, it } from 'vitest'
import { Email, emailKeyOf, Phone } from '#lib/accounts/account'

describe('an e-mail address', () => {
  it.each([
    "awa&co/x=y~z{a}#b!c$%'*+?^_`|-@example.com",
    `${'a'.repeat(64)}@example.com`,
    'a.b@sub.example.co',
    'awa@example.xn--p1ai',
  ])('may be %s', (address) => {
    expect(Email.parse(address)).toBe(address)
  })

  it.each([
    `${'a'.repeat(65)}@example.com`,
    '.a@example.com',
    'a..b@example.com',
    'a.@example.com',
    'a"b@example.com',
    'a@-example.com',
    'a@1.2',
    'a@é b.com',
    'a@é.com#EMAIL',
    'a@é.com/x',
    'a@é@b.com',
    `a@${'é'.repeat(64)}.com`,
    `a@${'é.'.repeat(100_000)}com`,
  ])('is not %s', (address) => {
    expect(Email.safeParse(address).success).toBe(false)
  })

  it.each([
    ['Awa@München.de', 'Awa@xn--mnchen-3ya.de'],
    ['awa@例え。jp', 'awa@xn--r8jz45g.jp'],
    ['awa@пример.рф', 'awa@xn--e1afmkfd.xn--p1ai'],
  ])('has its domain in ASCII: %s', (given, address) => {
    expect(Email.parse(given)).toBe(address)
    expect(emailKeyOf(given)).toBe(emailKeyOf(address))
  })
})

describe('a telephone number', () => {
  it.each([
    '+225 07 00 00 00 00',
    '+225.07-00-00-00-00',
    '(+225) 07 [00] 00\u00a000 00',
    '\u202a+2250700000000\u202c',
    '+225\u201107 00000000',
    '+225 (0) 07 00 00 00 00',
  ])('is read in the spelling %j', (given) => {
    expect(Phone.parse(given)).toBe('+2250700000000')
  })

  it.each(['07 00 00 00 00', '225 07 00 00 00 00', '+225 07 00 00 ext 1', '++2250700000000'])(
    'is not %j',
    (given) => {
      expect(Phone.safeParse(given).success).toBe(false)
    },
  )
})
