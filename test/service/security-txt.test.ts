import { describe, expect, it } from 'vitest'
import { spec as console } from '#functions/service/console'
import { spec as docs } from '#functions/service/docs'
import { spec as securityTxt } from '#functions/service/security-txt'
import { call } from '#test/support/call'

describe('GET /.well-known/security.txt', () => {
  it('names a contact, a time less than a year away and its own address, as RFC 9116 says', async () => {
    const { status, headers, text } = await call(securityTxt)
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
    })
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/s) as [string, string]),
    )
    expect(fields.get('Contact')).toMatch(/^mailto:security@[\w.-]+$/)
    expect(fields.get('Canonical')).toBe('https://api.platform.test/.well-known/security.txt')
    const days = (Date.parse(`${fields.get('Expires')}`) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(30)
    expect(days).toBeLessThan(365)
  })
})

describe('every page', () => {
  it.each([
    ['docs', docs],
    ['console', console],
  ])('of the %s is kept apart from other pages and from camera, microphone and place', async (_, spec) => {
    const { headers } = await call(spec)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    })
  })
})
