import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timestamp } from '#lib/kernel/clock'
import { idMaker, type UserId } from '#lib/kernel/id'
import { type NearPosition, searchNear } from '#lib/listings/search/near-search'
import { searchInOrder } from '#lib/listings/search/ordered-search'
import { cityKey, type SearchEntry } from '#lib/listings/search/search-entry'
import { isAskedFor, type Search, type SearchFilters } from '#lib/listings/search/search-query'
import { distanceKm } from '#lib/listings/search/sphere'
import { inMemoryIndex } from '#test/support/in-memory-index'

const newId = idMaker(() => new Date('2026-11-01T00:00:00.000Z'))
const AGENTS = [newId('user'), newId('user')] as const

/** By so much do coordinates of one house differ that were computed in two ways: the last bits of a number. */
const NOISE = [1e-15, 1e-12] as const

/** Where listings crowd: an ordinary city, the antimeridian, both poles, a corner of the cube. */
const CENTRES = [
  [5.3261, -4.0197],
  [-16.85, 180],
  [90, 0],
  [-89.97, 20],
  [35.2643897, 45],
] as const

const aPoint = fc
  .tuple(fc.constantFrom(...CENTRES), fc.nat(5), fc.nat(5), fc.constantFrom(0, ...NOISE, 0.0001, 0.01, 0.4))
  .map(([[lat, lng], north, east, step]) => {
    const turned = lng + (east - 2) * step * (Math.abs(lat) > 89 ? 200 : 1)
    return {
      lat: Math.max(-90, Math.min(90, lat + (north - 2) * step)),
      lng: turned > 180 ? turned - 360 : turned,
    }
  })

const aListing = fc
  .record({
    agentId: fc.constantFrom<UserId>(...AGENTS),
    offer: fc.constantFrom('sale' as const, 'rent' as const),
    category: fc.constantFrom('house' as const, 'land' as const),
    place: fc.constantFrom(['CI', 'Abidjan'], ['CI', 'Bouaké'], ['FR', 'Valence'], ['ES', 'VALENCE']),
    amount: fc.constantFrom(1, 100_000, 100_000, 150_000, 10 ** 15),
    currency: fc.constantFrom('XOF' as const, 'EUR' as const),
    bedrooms: fc.option(fc.nat(7)),
    point: fc.option(aPoint, { freq: 8 }),
    day: fc.nat(4),
  })
  .map(
    ({ place, point, day, ...values }): SearchEntry => ({
      ...values,
      listingId: newId('listing'),
      by: newId('searchEntry'),
      version: 1,
      country: place[0] ?? '',
      city: cityKey(place[1] ?? ''),
      lat: point?.lat ?? null,
      lng: point?.lng ?? null,
      publishedAt: timestamp(new Date(Date.UTC(2026, 10, 1 + day))),
    }),
  )

const maybe = <T>(value: fc.Arbitrary<T>, freq = 1) => fc.option(value, { nil: undefined, freq })

const someFilters: fc.Arbitrary<SearchFilters> = fc.record({
  offer: maybe(fc.constantFrom('sale' as const, 'rent' as const)),
  category: maybe(fc.constantFrom('house' as const, 'land' as const)),
  country: maybe(fc.constantFrom('CI', 'ES')),
  city: maybe(fc.constantFrom('abidjan', 'valence')),
  currency: fc.constant(undefined),
  minimum: fc.constantFrom(0, 0, 100_000),
  maximum: fc.constantFrom(10 ** 15, 10 ** 15, 149_999),
  bedrooms: maybe(fc.nat(7)),
  agentId: fc.option(fc.constantFrom<UserId>(...AGENTS), { nil: undefined, freq: 1 }),
})

const NO_FILTERS: SearchFilters = {
  offer: undefined,
  category: undefined,
  country: undefined,
  city: undefined,
  currency: undefined,
  minimum: 0,
  maximum: 10 ** 15,
  bedrooms: undefined,
  agentId: undefined,
}

const anOrder: fc.Arbitrary<Search> = fc
  .tuple(someFilters, fc.constantFrom('newest' as const, 'price' as const, '-price' as const))
  .map(([filters, sort]) =>
    sort === 'newest'
      ? { by: 'order', sort, list: sort, filters }
      : {
          by: 'order',
          sort,
          list: sort === 'price' ? 'price-XOF' : 'price-desc-XOF',
          filters: { ...filters, currency: 'XOF' },
        },
  )

const aCircle: fc.Arbitrary<Search> = fc
  .tuple(someFilters, aPoint, fc.constantFrom(0, 0.02, 3, 10, 45, 200))
  .map(([filters, origin, radiusKm]) => ({ by: 'distance', filters, origin, radiusKm }))

const kmOf = (search: Search, { lat, lng }: SearchEntry): number =>
  search.by === 'order' || lat === null || lng === null
    ? Number.POSITIVE_INFINITY
    : distanceKm(search.origin, { lat, lng })

/** How wide a rim is: whichever way the distance of what lies on it was computed, it is included. */
const RIM_KM = 1e-9

/** What a search must answer, by looking at every listing there is. */
function oracle(world: readonly SearchEntry[], search: Search): string[] {
  const rank = (entry: SearchEntry): number => {
    if (search.by === 'distance') return kmOf(search, entry)
    if (search.sort === 'newest') return -Date.parse(entry.publishedAt)
    return search.sort === 'price' ? entry.amount : -entry.amount
  }
  return world
    .filter((entry) => isAskedFor(entry, search.filters))
    .filter((entry) => search.by === 'order' || kmOf(search, entry) <= search.radiusKm + RIM_KM)
    .sort((a, b) => rank(a) - rank(b) || (a.listingId < b.listingId ? 1 : -1))
    .map(({ listingId }) => listingId)
}

type Index = ReturnType<typeof inMemoryIndex>

/** Follows a search to its last cursor, and looks at what each page cost; `meanwhile` happens after each. */
async function followed(
  index: Index,
  search: Search,
  limit: number,
  meanwhile = () => {},
): Promise<string[]> {
  const ids: string[] = []
  let after: unknown
  for (let pages = 1; ; pages += 1) {
    Object.assign(index.spent, { queries: 0, entries: 0 })
    const { found, next } = await pageOf(index, search, limit, after)
    expect(index.spent.queries).toBeLessThanOrEqual(34)
    expect(index.spent.entries).toBeLessThanOrEqual(500)
    expect(found.length).toBeLessThanOrEqual(limit)
    expect(JSON.stringify(next ?? null).length).toBeLessThan(1_400)
    ids.push(...found)
    if (next === undefined) return ids
    expect(pages, 'it ends').toBeLessThan(400)
    after = JSON.parse(JSON.stringify(next))
    meanwhile()
  }
}

async function pageOf(index: Index, search: Search, limit: number, after: unknown) {
  if (search.by === 'order') {
    const { found, next } = await searchInOrder(index, search, { limit, after: after as string | undefined })
    return { found: found.map(({ entry }) => entry.listingId as string), next }
  }
  const { found, next } = await searchNear(index, search, { limit, after: after as NearPosition | undefined })
  return { found: found.map(({ id }) => id), next }
}

const aWorld = fc.array(aListing, { minLength: 0, maxLength: 60, size: 'max' })
const aLimit = fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(100))

/** A city of hundreds: some alone, some in one house, at one point or nearly so, most around it. */
const aCity = fc
  .tuple(
    fc.constantFrom(...CENTRES),
    fc.array(
      fc.tuple(aListing, fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), aSpread()),
      {
        minLength: 60,
        maxLength: 260,
        size: 'max',
      },
    ),
  )
  .map(([[lat, lng], listings]) =>
    listings.map(([listing, north, east, step]): SearchEntry => {
      const turned = lng + east * step * (Math.abs(lat) > 89 ? 90 : 1)
      return {
        ...listing,
        lat: Math.max(-90, Math.min(90, lat + north * step)),
        lng: turned > 180 ? turned - 360 : turned,
      }
    }),
  )

function aSpread() {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.constantFrom(...NOISE) },
    { weight: 4, arbitrary: fc.double({ min: 0.0005, max: 0.02, noNaN: true }) },
  )
}

describe('a search by distance in a city', () => {
  const aVisit = fc.record({
    limit: fc.constantFrom(1, 20, 20, 100),
    radiusKm: fc.constantFrom(0, 0.5, 4, 12, 30, 200),
    offer: maybe(fc.constantFrom('sale' as const, 'rent' as const), 2),
    bedrooms: maybe(fc.constantFrom(2, 3), 2),
    north: fc.constantFrom(0, 0, 0.003, 0.02, -0.1),
    east: fc.constantFrom(0, 0.007, 0.05),
  })

  it('yields the set and order of looking at each listing, within its bounds', async () => {
    await fc.assert(
      fc.asyncProperty(aCity, aVisit, async (city, { limit, radiusKm, offer, bedrooms, north, east }) => {
        const index = inMemoryIndex()
        for (const entry of city) index.enter(entry)
        const { lat, lng } = city[0] ?? { lat: 0, lng: 0 }
        const origin = {
          lat: Math.max(-90, Math.min(90, (lat ?? 0) + north)),
          lng: (lng ?? 0) - Math.abs(east),
        }
        const filters = { ...NO_FILTERS, offer, bedrooms }
        const search: Search = { by: 'distance', origin, radiusKm, filters }
        expect(await followed(index, search, limit)).toEqual(oracle(city, search))
      }),
      { numRuns: 100 },
    )
  }, 120_000)
})

describe('a search by distance in one house', () => {
  const entriesAt = (lat: number, lng: number, count: number): SearchEntry[] =>
    fc.sample(aListing, count).map((entry) => ({ ...entry, lat, lng }))

  it.each([1, 5, 20, 100])(
    'yields every listing, %i a page, when some lie off the others by the last bits of a number',
    async (limit) => {
      const house = [
        ...entriesAt(5.3261, -4.0197, 30),
        ...entriesAt(5.3260999999999985, -4.019699999999999, 30),
        ...entriesAt(5.3261, -4.0197, 30),
      ]
      const index = inMemoryIndex()
      for (const entry of house) index.enter(entry)
      for (const origin of [
        { lat: 5.35, lng: -4 },
        { lat: 5.3, lng: -4.05 },
        { lat: 5.3261, lng: -4.0197 },
      ]) {
        const search: Search = { by: 'distance', origin, radiusKm: 10, filters: NO_FILTERS }
        expect(await followed(index, search, limit)).toEqual(oracle(house, search))
      }
    },
  )
})

describe.each([
  ['in order', anOrder],
  ['by distance', aCircle],
])('a search %s', (_, aSearch) => {
  it('yields in every world the set and order of looking at each listing, within its bounds', async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, aSearch, aLimit, async (world, search, limit) => {
        const index = inMemoryIndex()
        for (const entry of world) index.enter(entry)
        expect(await followed(index, search, limit)).toEqual(oracle(world, search))
      }),
      { numRuns: 500 },
    )
  }, 120_000)

  it('yields each listing that does not change once, in order, while others come and go', async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, aWorld, aSearch, aLimit, async (stable, others, search, limit) => {
        const index = inMemoryIndex()
        for (const entry of stable) index.enter(entry)
        const coming = [...others]
        const present: SearchEntry[] = []
        const comeAndGo = () => {
          for (const entry of present.splice(0, 1)) index.remove(entry)
          for (const entry of coming.splice(0, 3)) {
            index.enter(entry)
            present.push(entry)
          }
        }
        comeAndGo()
        const known = new Set<string>(stable.map(({ listingId }) => listingId))
        const seen = await followed(index, search, limit, comeAndGo)
        expect(seen.filter((id) => known.has(id))).toEqual(oracle(stable, search))
        expect(new Set(seen).size).toBe(seen.length)
      }),
      { numRuns: 150 },
    )
  }, 120_000)
})
