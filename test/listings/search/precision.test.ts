import { beforeAll, describe, expect, it } from 'vitest'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as getFacets } from '#functions/listings/get-facets'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as getMap } from '#functions/listings/get-map'
import { spec as searchListings } from '#functions/listings/search-listings'
import type { ListingId } from '#lib/kernel/id'
import { publicLocation } from '#lib/listings/location'
import { distanceKm } from '#lib/listings/search/sphere'
import { call } from '#test/support/call'
import { aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aPublishedListing, found, moderated } from '#test/support/published'

let agent: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
})

const TRUE_POINT = { lat: 5.326_149, lng: -4.019_751 }
const SEEN = { lat: 5.33, lng: -4.02 }
const place = (city: string, precision: 'exact' | 'approximate') => ({
  ...{ country: 'CI', city, district: null, address: 'Rue 12, villa 7', precision },
  ...TRUE_POINT,
})

const shownTo = async (id: ListingId, token?: string) =>
  (await call(getListing, { params: { id }, ...(token !== undefined && { token }) })).body

const edit = (id: ListingId, location: object) =>
  call(editListing, { params: { id }, token: agent.token, body: { location } })

describe('an approximate location', () => {
  it('is shown by its rounded point without its address, and whole to owner and administrators', async () => {
    const id = await aPublishedListing(agent.id, { location: place('Grand-Lahou', 'approximate') })
    expect(await shownTo(id)).toMatchObject({
      location: { ...SEEN, address: null, precision: 'approximate' },
    })
    for (const token of [agent.token, await consoleToken()]) {
      expect(await shownTo(id, token)).toMatchObject({
        location: { ...TRUE_POINT, address: 'Rue 12, villa 7' },
      })
    }
  })

  it('leaks its true point by no answer of the search, whoever asks', async () => {
    const id = await aPublishedListing(agent.id, { location: place('Jacqueville', 'approximate') })
    for (const view of ['full', 'card']) {
      for (const token of [undefined, agent.token, await consoleToken()]) {
        const { text, body } = await call(searchListings, {
          query: { city: 'Jacqueville', view, near: '5.33,-4.03' },
          ...(token !== undefined && { token }),
        })
        expect(text).not.toMatch(/5\.326|4\.0197|Rue 12/)
        const [item] = body.items
        expect(item?.distanceKm).toBe(distanceKm({ lat: 5.33, lng: -4.03 }, SEEN))
      }
    }
    const city = { city: 'Jacqueville' }
    const point = Object.values(TRUE_POINT).map((degree) => degree.toFixed(6))
    expect(await found({ ...city, near: point.join(), radiusKm: '0.1' })).toEqual([])
    expect(await found({ ...city, bbox: '-4.0198,5.3261,-4.0197,5.3262' })).toEqual([])
    expect(await found({ ...city, bbox: '-4.02,5.33,-4.02,5.33' })).toEqual([id])
    const map = await call(getMap, { query: { ...city, bbox: '-5,5,-4,6', zoom: '8' } })
    expect(map.body).toMatchObject({ items: [{ ...SEEN, count: 1 }], total: 1 })
    const inside = { ...city, bbox: '-4.0199,5.3261,-4.0196,5.3263' }
    expect((await call(getFacets, { query: inside })).body).toMatchObject({ total: 0 })
  })

  it('becomes so at once on a live listing, while the rest of the location waits', async () => {
    const id = await aPublishedListing(agent.id, { location: place('Dabou', 'exact') })
    const { country, city } = place('Dabou', 'exact')
    await edit(id, { country, city, lat: 6, lng: -5, precision: 'approximate' })
    expect(await shownTo(id)).toMatchObject({
      location: { ...SEEN, precision: 'approximate', address: null },
    })
    expect(await shownTo(id, agent.token)).toMatchObject({
      revision: {
        changes: { location: { lat: 6, lng: -5, precision: 'approximate' } },
      },
    })
    expect(await found({ city: 'Dabou', bbox: '-4.02,5.33,-4.02,5.33' })).toEqual([id])
    await moderated(id, { status: 'PUBLISHED' })
    expect(await shownTo(id)).toMatchObject({ location: { lat: 6, lng: -5, precision: 'approximate' } })
  })

  it('becomes exact only once a moderator has published that', async () => {
    const location = place('Tiassalé', 'approximate')
    const id = await aPublishedListing(agent.id, { location })
    await edit(id, { ...location, precision: 'exact' })
    expect(await shownTo(id)).toMatchObject({ location: { ...SEEN, precision: 'approximate' } })
    expect(await shownTo(id, agent.token)).toMatchObject({
      revision: {
        changes: { location: { precision: 'exact' } },
      },
    })
    await moderated(id, { status: 'PUBLISHED' })
    expect(await shownTo(id)).toMatchObject({ location: { ...TRUE_POINT, precision: 'exact' } })
  })

  it.each([
    [5.325, 5.33],
    [-5.325, -5.33],
    [1.005, 1.01],
    [0.004_999, 0],
    [-0.004, 0],
    [89.996, 90],
    [1e-7, 0],
    [12, 12],
  ])('rounds %d by its decimal to %d', (degrees, rounded) => {
    const location = { ...place('A', 'approximate'), lat: degrees, lng: degrees }
    expect(publicLocation(location)).toMatchObject({ lat: rounded, lng: rounded })
  })
})

describe('hostile words', () => {
  it.each([
    '") OR *',
    'a AND b',
    'NEAR(a b)',
    'words:pool',
    '-pool',
    '^pool',
    "'; DROP TABLE listing; --",
    'a*',
    'عربي بيت',
    '🏠 a',
    'a '.repeat(50).trim(),
    '\u200bpool',
    'x"y',
  ])('are text: %s', async (q) => {
    const { status, body } = await call(searchListings, { query: { q } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ items: expect.any(Array), total: expect.any(Number) })
  })

  it.each([
    { bbox: '-0,-0,0,0' },
    { near: '-0,0', radiusKm: '0' },
    { bbox: '180,0,-180,1' },
    { bbox: '10,-90,-10,90' },
  ])('and rectangles at the edge of the world are answered: %o', async (query: Record<string, string>) => {
    expect((await call(searchListings, { query })).status).toBe(200)
  })
})
