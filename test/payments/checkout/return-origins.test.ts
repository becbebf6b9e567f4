import { describe, expect, it } from 'vitest'
import { readConfig } from '#lib/config/config'
import { openReturnOrigins } from '#lib/payments/checkout/check-payment'

const LOCAL = ['http://localhost:*', 'http://127.0.0.1:*']

describe('return origins', () => {
  it.each([
    ['https://shop.example/done', true],
    ['https://SHOP.example:443/', true],
    ['https://shop.example:8443/', false],
    ['http://shop.example/', false],
    ['https://shop.example.evil.test/', false],
    ['https://shop.example@evil.test/', false],
    ['myapp://done?x=1', true],
    ['otherapp://done', false],
    ['https://pages.example/', false],
    ['http://localhost:5173/', false],
  ])('that are named allow %s: %s', (returnUrl, isAllowed) => {
    const allows = openReturnOrigins(['https://shop.example', 'myapp://'], ['https://pages.example'])
    expect(allows(returnUrl)).toBe(isAllowed)
  })

  it.each([
    ['https://pages.example/done', true],
    ['https://shop.example/done', false],
  ])('that are not named are those of the pages: %s is allowed: %s', (returnUrl, isAllowed) => {
    expect(openReturnOrigins([], ['*', 'https://pages.example'])(returnUrl)).toBe(isAllowed)
  })

  it.each([
    ['https://shop.example/done', true],
    ['http://shop.example/done', false],
    ['myapp://done', false],
    ['javascript:alert(1)', false],
  ])('allow any https page where neither is named: %s: %s', (returnUrl, isAllowed) => {
    expect(openReturnOrigins([], ['*'])(returnUrl)).toBe(isAllowed)
  })

  it('allow every port of this machine beside them on the local stack', () => {
    const allows = openReturnOrigins(['https://shop.example'], LOCAL)
    expect(allows('http://localhost:5173/done')).toBe(true)
    expect(allows('http://localhost.evil.test/')).toBe(false)
    expect(openReturnOrigins([], LOCAL)('https://shop.example/')).toBe(true)
  })

  it.each(['shop.example', 'https://shop.example/path', 'https://a@shop.example'])(
    'that say %s stop the start with the name of the variable',
    (value) => {
      expect(() => readConfig(['RETURN_ORIGINS'], { RETURN_ORIGINS: value })).toThrow(
        'RETURN_ORIGINS is not valid',
      )
    },
  )
})
