import { beforeAll, describe, expect, it } from 'vitest'
import { spec as getFacets } from '#functions/listings/get-facets'
import { spec as getMap } from '#functions/listings/get-map'
import { spec as listPlaces } from '#functions/listings/list-places'
import { call } from '#test/support/call'
import { insertAll, published } from '#test/support/corpus'
import { aVerifiedAgent } from '#test/support/given'

type Query = Record<string, string | string[]>

const facets = async (query: Query = {}) => (await call(getFacets, { query })).body
const places = async (query: Query = {}) => (await call(listPlaces, { query })).body.items

const draft = (
  city: string,
  more: {
    offer?: 'sale' | 'rent'
    category?: 'house' | 'land'
    district?: string
    features?: string[]
    bedrooms?: number
    amount?: number
    at?: [number, number]
    country?: string
  } = {},
) => ({
  offer: more.offer ?? 'rent',
  category: more.category ?? 'house',
  price: { amount: more.amount ?? 1_000, currency: 'XOF' as const },
  bedrooms: more.bedrooms ?? null,
  features: more.features ?? [],
  location: {
    country: more.country ?? 'SN',
    city,
    district: more.district ?? null,
    lat: more.at?.[0] ?? null,
    lng: more.at?.[1] ?? null,
  },
})

beforeAll(async () => {
  const agent = await aVerifiedAgent()
  const drafts = [
    draft('Thiès', {
      district: 'Médina',
      features: ['Pool', 'Garden'],
      bedrooms: 0,
      amount: 1_000,
      at: [14.79, -16.93],
    }),
    draft('Thiès', {
      district: 'medina',
      features: ['pool'],
      bedrooms: 2,
      amount: 1_999,
      at: [14.79, -16.93],
    }),
    draft('thies', { features: ['Pool'], bedrooms: 2, amount: 2_000, offer: 'sale', at: [14.8, -16.92] }),
    draft('Dakar', { category: 'land', amount: 25_500, at: [14.7, -17.4] }),
    draft('Suva', { country: 'FJ', at: [-18, 179.9], amount: 7 }),
    draft('Suva', { country: 'FJ', at: [-18, -179.9], amount: 7 }),
    draft('Suva', { country: 'FJ', at: [-18, 180], amount: 7 }),
    draft('Lau', { country: 'FJ', at: [40, 179.99999999999997], amount: 7 }),
    draft('Grand', { country: 'GA', district: 'Bassam Plage' }),
    draft('Grand Bassam', { country: 'GA', district: 'Plage' }),
    draft('Pole', { country: 'NO', at: [89.9, 20], amount: 7 }),
  ]
  await insertAll(drafts.map((each) => published(agent.id, each)))
})

describe('facets', () => {
  it('count each under all filters but its own, and the total under all', async () => {
    const counted = await facets({ country: 'SN', offer: 'sale' })
    expect(counted).toMatchObject({
      total: 1,
      offers: { sale: 1, rent: 3 },
      bedrooms: { 2: 1 },
      features: [{ feature: 'Pool', count: 1 }],
      cities: [{ country: 'SN', city: 'thies', count: 1 }],
      prices: null,
    })
    expect(counted.categories).toEqual({
      ...Object.fromEntries(
        ['apartment', 'villa', 'studio', 'room', 'land', 'office', 'shop', 'warehouse', 'other'].map(
          (name) => [name, 0],
        ),
      ),
      house: 1,
    })
  })

  it('join spellings that compare equal, spelled as most listings do', async () => {
    const { features, cities, bedrooms } = await facets({ city: 'THIES', features: 'garden' })
    expect(features).toEqual([
      { feature: 'Pool', count: 3 },
      { feature: 'Garden', count: 1 },
    ])
    expect(cities).toEqual([{ country: 'SN', city: 'Thiès', count: 1 }])
    expect(bedrooms).toEqual({ 0: 1 })
  })

  it('leave the city out of the cities, and keep its country', async () => {
    const { cities, total } = await facets({ city: 'Dakar', country: 'sn' })
    expect(total).toBe(1)
    expect(cities).toEqual([
      { country: 'SN', city: 'Thiès', count: 3 },
      { country: 'SN', city: 'Dakar', count: 1 },
    ])
  })

  it('bin prices by a width of 1, 2 or 5 times a power of ten, at most twenty, empty ones included', async () => {
    const { prices } = await facets({ country: 'SN', currency: 'XOF', minPrice: '5000' })
    expect(prices).toMatchObject({ currency: 'XOF', min: 1_000, max: 25_500 })
    expect(prices?.bins).toHaveLength(13)
    expect(prices?.bins.slice(0, 2)).toEqual([
      { from: 0, to: 2_000, count: 2 },
      { from: 2_000, to: 4_000, count: 1 },
    ])
    expect(prices?.bins.at(-1)).toEqual({ from: 24_000, to: 26_000, count: 1 })
    expect((await facets({ currency: 'EUR' })).prices).toBeNull()
  })

  it.each([{ sort: 'newest' }, { view: 'card' }, { limit: '5' }, { cursor: 'x' }, { ids: 'lst_a' }])(
    'do not know %o',
    async (query: Query) => {
      expect((await call(getFacets, { query })).status).toBe(400)
    },
  )
})

describe('the map', () => {
  const map = async (query: Query) => {
    const { status, body, text } = await call(getMap, { query })
    if (status !== 200) throw new Error(text)
    return body
  }

  it('counts what lies in the rectangle by square, and shows a listing that is alone', async () => {
    const { items, total } = await map({ bbox: '-17.5,14.5,-16.5,15', zoom: '12' })
    expect(total).toBe(4)
    expect(items.map(({ count }) => count).sort()).toEqual([1, 1, 2])
    const alone = items.find(({ lng }) => lng === -17.4)
    expect(alone).toMatchObject({
      lat: 14.7,
      count: 1,
      ids: null,
      listing: { category: 'land', title: 'A place to live' },
    })
    const pair = items.find(({ count }) => count === 2)
    expect(pair).toMatchObject({ listing: null, ids: null })
    const [west = 0, south = 0, east = 0, north = 0] = pair?.bbox ?? []
    expect([west <= -16.93 && -16.93 < east, south <= 14.79 && 14.79 <= north]).toEqual([true, true])
    expect(east - west).toBeCloseTo(360 / (4 * 2 ** 12), 12)
  })

  it('names up to twenty listings of a square from zoom 18 on', async () => {
    const { items } = await map({ bbox: '-16.9305,14.7895,-16.9295,14.7905', zoom: '18' })
    expect(items).toMatchObject([
      { count: 2, ids: [expect.stringMatching(/^lst_/), expect.stringMatching(/^lst_/)] },
    ])
  })

  it('crosses the 180th meridian, whose two names are one', async () => {
    expect((await map({ bbox: '179,-19,-179,-17', zoom: '3' })).total).toBe(3)
    expect((await map({ bbox: '-180,-19,-179,-17', zoom: '3' })).total).toBe(2)
    expect((await map({ bbox: '179.95,-19,180,-17', zoom: '3' })).total).toBe(1)
    expect((await map({ bbox: '180,-90,180,90', zoom: '3' })).total).toBe(1)
    expect((await map({ bbox: '180,-20,-170,-10', zoom: '8' })).total).toBe(2)
    expect((await map({ bbox: '180,-18.001,180,-17.999', zoom: '18' })).total).toBe(1)
  })

  it('puts what lies just west of the 180th meridian into its last column', async () => {
    const { items } = await map({ bbox: '179.9,39,180,41', zoom: '3' })
    expect(items).toMatchObject([{ count: 1, bbox: [168.75, expect.any(Number), 180, expect.any(Number)] }])
  })

  it('puts what lies beyond the projection into its outermost row, by its true latitude', async () => {
    const { items } = await map({ bbox: '19,89,21,90', zoom: '2' })
    expect(items).toMatchObject([{ lat: 89.9, count: 1 }])
    expect(items[0]?.bbox[3]).toBeCloseTo(85.0511, 3)
    expect((await map({ bbox: '19,85,21,86', zoom: '2' })).total).toBe(0)
  })

  it.each([
    [{ bbox: '-180,-90,180,90', zoom: '4' }, 'bbox'],
    [{ bbox: '1,2,3,4' }, 'zoom'],
    [{ zoom: '4' }, 'bbox'],
    [{ bbox: '1,2,3,4', zoom: '23' }, 'zoom'],
    [{ bbox: '1,2,3,4', zoom: '1.5' }, 'zoom'],
    [{ bbox: '1,4,3,2', zoom: '1' }, 'bbox'],
    [{ bbox: '1,2,3,4', zoom: '1', limit: '3' }, 'limit'],
  ])('answers %o by naming %s', async (query, path) => {
    expect(await call(getMap, { query })).toMatchObject({ status: 400, body: { errors: [{ path }] } })
  })

  it.each([
    ['1,4,3,2', 'must have its south below its north'],
    ['1,2,3,91', 'must have latitudes of at most 90 and longitudes of at most 360 degrees'],
  ])('a rectangle %s is a 400 that says why', async (bbox, message) => {
    expect(await call(getMap, { query: { bbox, zoom: '1' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'bbox', message }] },
    })
  })

  it.each([
    ['fifty columns of fifty rows', '0,-79.9,140.5,0', 200],
    ['a column more', '0,-79.9,140.7,0', 400],
    ['a row more', '0,-80.5,140.5,0', 400],
  ])('a rectangle of 2,500 squares is the largest: %s', async (_what, bbox, status) => {
    expect(await call(getMap, { query: { bbox, zoom: '5' } })).toMatchObject({ status })
  })

  it('takes the whole world while its squares are few', async () => {
    expect((await map({ bbox: '-180,-90,180,90', zoom: '3' })).total).toBe(9)
  })
})

describe('places', () => {
  it('are the largest first, a city with all its districts', async () => {
    expect(await places({ country: 'sn' })).toEqual([
      { country: 'SN', city: 'Thiès', district: null, count: 3 },
      { country: 'SN', city: 'Thiès', district: 'Médina', count: 2 },
      { country: 'SN', city: 'Dakar', district: null, count: 1 },
    ])
    expect(await places({ limit: '1' })).toHaveLength(1)
  })

  it('keep districts apart whose names, read after those of their cities, are the same', async () => {
    expect(await places({ q: 'plage' })).toEqual([
      { country: 'GA', city: 'Grand', district: 'Bassam Plage', count: 1 },
      { country: 'GA', city: 'Grand Bassam', district: 'Plage', count: 1 },
    ])
  })

  it('are found by the beginnings of their words, a district by its city’s too', async () => {
    expect(await places({ q: 'thi' })).toHaveLength(2)
    expect(await places({ q: 'MÉDI' })).toMatchObject([{ district: 'Médina' }])
    expect(await places({ q: 'thies medina' })).toMatchObject([{ district: 'Médina' }])
    expect(await places({ q: 'hies' })).toEqual([])
  })

  it.each([{ q: '?' }, { limit: '21' }, { limit: '0' }, { city: 'Dakar' }])(
    'refuse %o',
    async (query: Query) => {
      expect((await call(listPlaces, { query })).status).toBe(400)
    },
  )
})
