import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Listing } from '#lib/listings/listing'
import { distanceKm } from '#lib/listings/search/sphere'
import { insertAll, published } from '#test/support/corpus'
import { anAgent, aVerifiedAgent } from '#test/support/given'
import { searched } from '#test/support/published'

const CITIES = [
  { country: 'CI', city: 'Abidjan', lat: 5.3261, lng: -4.0197 },
  { country: 'CI', city: 'Bouaké', lat: 7.69, lng: -5.03 },
  { country: 'FJ', city: 'Taveuni', lat: -16.85, lng: 179.98 },
  { country: 'FR', city: 'Valence', lat: 44.93, lng: 4.89 },
  { country: 'ES', city: 'valence', lat: 39.47, lng: -0.38 },
  { country: 'NO', city: 'Ny-Ålesund', lat: 89.97, lng: 20 },
  { country: 'AQ', city: 'Amundsen–Scott', lat: -90, lng: 0 },
] as const

const CATEGORIES = ['apartment', 'house', 'land', 'office'] as const
const CURRENCIES = ['XOF', 'EUR'] as const

/** Where a listing of a city lies: mostly at one of its corners, many of them at the very same. */
const aPlace = fc.constantFrom(...CITIES).chain((city) =>
  fc
    .tuple(
      fc.integer({ min: -6, max: 6 }),
      fc.integer({ min: -6, max: 6 }),
      fc.constantFrom(0.3, 0.01, 0.0001),
    )
    .map(([north, east, step]) => ({
      country: city.country,
      city: city.city,
      lat: asSent(Math.max(-90, Math.min(90, city.lat + north * step))),
      lng: asSent(wrapped(city.lng + east * step * (Math.abs(city.lat) > 89 ? 300 : 1))),
    })),
)

const wrapped = (lng: number): number => lng - 360 * Math.round(lng / 360)

/** Degrees as people send them: added ones differ in their last bits from the same written down. */
const asSent = (degrees: number): number => Number(degrees.toFixed(6))

const aDraft = fc.record({
  offer: fc.constantFrom('sale' as const, 'rent' as const),
  category: fc.constantFrom(...CATEGORIES),
  price: fc.record({
    amount: fc.constantFrom(1, 90_000, 100_000, 100_000, 150_000, 2_000_000, 10 ** 15),
    currency: fc.constantFrom(...CURRENCIES),
  }),
  bedrooms: fc.option(fc.integer({ min: 0, max: 8 })),
  location: aPlace.chain((place) =>
    fc.boolean().map((isOnMap) => (isOnMap || place.lat > 80 ? place : { ...place, lat: null, lng: null })),
  ),
})

let corpus: Listing[]

beforeAll(async () => {
  const agents = await Promise.all([aVerifiedAgent(), aVerifiedAgent(), anAgent()])
  const drafts = fc.sample(
    fc.tuple(
      aDraft,
      fc.constantFrom(...agents),
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 0, max: 9 }),
    ),
    { seed: 20261120, numRuns: 80 },
  )
  const hidden = new Set([agents[2]?.id])
  corpus = drafts.map(([draft, agent, day, status]) =>
    published(agent.id, draft, {
      publishedAt: `2026-11-0${1 + (day % 5)}T12:00:00.000Z` as Listing['publishedAt'],
      ...(status === 0 && { status: 'SUSPENDED' }),
    }),
  )
  await insertAll(corpus)
  corpus = corpus.filter(({ agentId, status }) => status === 'PUBLISHED' && !hidden.has(agentId))
})

type Query = Record<string, string>

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 })

const aFilter = fc.record({
  offer: optional(fc.constantFrom('sale', 'rent')),
  category: optional(fc.constantFrom(...CATEGORIES, 'villa')),
  country: optional(fc.constantFrom('CI', 'FR', 'ES', 'DE')),
  city: optional(fc.constantFrom(' ABIDJAN ', 'Bouaké', 'BOUAKE\u0301', 'VALENCE', 'ny-ålesund', 'Atlantis')),
  bedrooms: optional(fc.integer({ min: 0, max: 8 }).map(String)),
  agent: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined, freq: 6 }),
})

const aPrice = fc.record({
  currency: fc.constantFrom(...CURRENCIES),
  minPrice: optional(fc.constantFrom('0', '90000', '100000')),
  maxPrice: optional(fc.constantFrom('100000', '150000', '1000000000000000')),
})

const anOrder = fc.oneof(
  fc.constant({}),
  fc.constant({ sort: 'newest' }),
  aPrice,
  fc.tuple(aPrice, fc.constantFrom('price', '-price')).map(([price, sort]) => ({ ...price, sort })),
)

const aCircle = fc
  .tuple(
    fc.oneof(aPlace, fc.record({ lat: fc.double({ min: -90, max: 90, noNaN: true }), lng: fc.constant(12) })),
    fc.constantFrom('0', '0.05', '2', '10', '55.5', '200'),
    optional(aPrice),
  )
  .map(([{ lat, lng }, radiusKm, price]) => ({ near: `${lat.toFixed(9)},${lng}`, radiusKm, ...price }))

const aQuery: fc.Arbitrary<Query> = fc.tuple(aFilter, fc.oneof(anOrder, aCircle)).map(([filter, order]) => {
  const agent = filter.agent === undefined ? undefined : corpus[filter.agent]?.agentId
  return Object.fromEntries(
    Object.entries({ ...filter, agent, ...order }).filter(([, value]) => value !== undefined),
  ) as Query
})

const asKey = (city: string): string => city.normalize('NFKC').trim().toLowerCase()

/** The rim is included; what two spellings of a place differ by in the last bits is on it. */
const RIM_KM = 1e-9

/** What a search must answer, by looking at every listing there is. */
function oracle(query: Query): string[] {
  const { near, sort = 'newest', currency } = query
  const [lat = 0, lng = 0] = (near ?? '').split(',').map(Number)
  const kmOf = ({ location }: Listing): number =>
    location?.lat == null || location.lng == null
      ? Number.POSITIVE_INFINITY
      : distanceKm({ lat, lng }, { lat: location.lat, lng: location.lng })
  const orderOf = (listing: Listing): number => {
    if (near !== undefined) return kmOf(listing)
    if (sort === 'newest') return -Date.parse(listing.publishedAt ?? '')
    return (listing.price?.amount ?? 0) * (sort === 'price' ? 1 : -1)
  }
  const isFound = (listing: Listing): boolean =>
    (query['offer'] ?? listing.offer) === listing.offer &&
    (query['category'] ?? listing.category) === listing.category &&
    (query['country'] ?? listing.location?.country) === listing.location?.country &&
    asKey(query['city'] ?? listing.location?.city ?? '') === asKey(listing.location?.city ?? '') &&
    (query['agent'] ?? listing.agentId) === listing.agentId &&
    (currency ?? listing.price?.currency) === listing.price?.currency &&
    Number(query['minPrice'] ?? 0) <= (listing.price?.amount ?? 0) &&
    Number(query['maxPrice'] ?? Number.POSITIVE_INFINITY) >= (listing.price?.amount ?? 0) &&
    (query['bedrooms'] === undefined || (listing.bedrooms ?? -1) >= Number(query['bedrooms'])) &&
    (near === undefined || kmOf(listing) <= Number(query['radiusKm']) + RIM_KM)
  return corpus
    .filter(isFound)
    .sort((a, b) => orderOf(a) - orderOf(b) || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)
}

/** What a search does answer, followed to the last cursor. */
async function followed(query: Query, limit: number): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = []
  let cursor: string | null | undefined
  let pages = 0
  for (; cursor !== null; pages += 1) {
    const answer = await searched({ ...query, limit: `${limit}`, ...(cursor && { cursor }) })
    expect(answer.status, answer.text).toBe(200)
    const body = answer.body
    expect(body.items.length).toBeLessThanOrEqual(limit)
    ids.push(...body.items.map(({ id }) => id))
    cursor = body.nextCursor
    if (pages > 500) throw new Error('never ends')
  }
  return { ids, pages }
}

describe('a search through the whole stack', () => {
  it('answers, followed to the last cursor, what looking at every listing would, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(aQuery, fc.integer({ min: 1, max: 7 }), async (query, least) => {
        const expected = oracle(query)
        const limit = Math.max(least, Math.ceil(expected.length / 8))
        expect((await followed(query, limit)).ids).toEqual(expected)
      }),
      { numRuns: 150 },
    )
  }, 120_000)
})
