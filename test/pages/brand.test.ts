import { describe, expect, it } from 'vitest'
import { readConfig } from '#lib/config/config'
import { coloursOf, imageSourceOf } from '#lib/pages/brand'

const branded = (value: string) => readConfig(['BRAND'], { BRAND: value }).BRAND

describe('the operator’s brand', () => {
  it('is empty where it is not set, and each of its three settings can be left out', () => {
    expect(readConfig(['BRAND'], {}).BRAND).toEqual({})
    const brand = { name: 'Kaya', colour: '#0a7', logo: 'https://kaya.example/logo.png' }
    expect(branded(JSON.stringify(brand))).toEqual(brand)
  })

  it.each([
    ['no JSON', 'Kaya'],
    ['a list', '[]'],
    ['an unknown setting', '{"color": "#123456"}'],
    ['a colour that is none', '{"colour": "red; } body { display: none"}'],
    ['a logo that runs', '{"logo": "javascript:alert(1)"}'],
    ['a logo that is a page', '{"logo": "data:text/html,<script>"}'],
    ['an empty name', '{"name": " "}'],
  ])('stops the start with its name for %s', (_, value) => {
    expect(() => branded(value)).toThrow('BRAND is not valid')
  })

  it.each([
    ['#ffffff', '#111827'],
    ['#fde047', '#111827'],
    ['#1d4ed8', '#ffffff'],
    ['#000', '#ffffff'],
    ['#0a7', '#111827'],
  ])('%s has the ink that reads better on it', (colour, ink) => {
    expect(coloursOf({ colour })).toEqual({ colour, ink })
  })

  it('allows pictures from where the logo is', () => {
    expect(imageSourceOf({})).toBeNull()
    expect(imageSourceOf({ logo: 'https://kaya.example:8443/a;b,c.png' })).toBe('https://kaya.example:8443')
    expect(imageSourceOf({ logo: 'data:image/png;base64,AAAA' })).toBe('data:')
  })
})
