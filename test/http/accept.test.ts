import { describe, expect, it } from 'vitest'
import { prefers } from '#lib/http/request'

describe('an Accept field', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['text/html', true],
    ['Text/HTML', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/json, text/html', true],
    ['application/json, text/html;q=0.9', false],
    ['text/html;q=0', false],
    ['text/html;q=many', false],
    ['text/html;q=0.5, */*;q=0.8', false],
  ])('of %j prefers a page: %j', (accept, isPage) => {
    expect(prefers('text/html', accept)).toBe(isPage)
  })
})
