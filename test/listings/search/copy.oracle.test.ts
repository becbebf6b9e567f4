import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NEVER, timestamp } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import { prepareSearch } from '#lib/listings/search/conditions'
import { openCopy, type SearchCopy } from '#lib/listings/search/copy'
import { countFacets, type Facets } from '#lib/listings/search/facets'
import { filtersOf, type GivenFilters } from '#lib/listings/search/filters'
import { mapListings } from '#lib/listings/search/map'
import { countTotal, pageQuery, readPage, TOTAL_MAX, totalQuery } from '#lib/listings/search/read-page'
import type { SearchOrder } from '#lib/listings/search/search-query'
import { loggedChangeOf, wholeChangeOf } from '#lib/listings/search/search-row'
import { distanceKm } from '#lib/listings/search/sphere'
import { published } from '#test/support/corpus'

const NOW = timestamp(new Date('2026-11-20T12:00:00.000Z'))
const AGENTS = ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBN1', 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBN2'] as UserId[]
const SEARCHES = Number(process.env['SEARCHES'] ?? 1_000)

const CITIES = [
  ['SN', 'Thiès', 14.79, -16.93],
  ['SN', 'THIES', 14.8, -16.92],
  ['GR', 'Αθήνα', 37.98, 23.72],
  ['RU', 'Орёл', 52.97, 36.07],
  ['FJ', 'Suva', -18.1, 179.99],
  ['NO', 'Pole', 89.95, 0],
] as const
const TEXTS = [
  'Quiet house',
  'MAISON à louer',
  'дом у реки',
  'σπίτι ΜΕ κήπο',
  'बड़ा घर',
  'villa, pool & garden',
  'C++ (new)',
]
const FEATURES = ['Pool', 'pool', 'Jardin', 'sea view', 'Лифт'] as const
const WORDS = [
  'quiet',
  'MAIS',
  'a',
  'до',
  'σπιτι με',
  'घर',
  'pool garden',
  'thi',
  'орел',
  'αθη',
  'new',
  'jar',
  'nothing',
  'c',
]

const aPoint = fc.record({
  place: fc.constantFrom(...CITIES),
  north: fc.constantFrom(0, 0.004, -0.005, 0.05, 1),
  east: fc.constantFrom(0, 0.015, -0.02, 0.3),
  isOnMap: fc.constantFrom(true, true, true, false),
  precision: fc.constantFrom('exact' as const, 'approximate' as const),
})

/** A sum of degrees as a person would have sent it: without the digits that adding makes, which decide how it is rounded. */
const degrees = (sum: number): number => Number(sum.toFixed(6))

const aDraft = fc.record({
  offer: fc.constantFrom('sale' as const, 'rent' as const),
  category: fc.constantFrom('house' as const, 'land' as const, 'shop' as const),
  title: fc.constantFrom(...TEXTS),
  price: fc.record({
    amount: fc.constantFrom(1, 5, 5, 90, 10 ** 15),
    currency: fc.constantFrom('XOF' as const, 'EUR' as const),
  }),
  rentPeriod: fc.constantFrom('day' as const, 'month' as const, null),
  bedrooms: fc.option(fc.integer({ min: 0, max: 3 })),
  bathrooms: fc.option(fc.integer({ min: 0, max: 3 })),
  areaSqm: fc.option(fc.constantFrom(10, 40.5, 40.5, 100)),
  features: fc.subarray([...FEATURES]),
  location: aPoint.map(({ place: [country, city, lat, lng], north, east, isOnMap, precision }) => ({
    ...{ country, city, precision, district: north > 0.01 ? 'Médina' : null },
    lat: isOnMap ? degrees(Math.min(90, lat + north)) : null,
    lng: isOnMap ? degrees(lng + east - 360 * Math.round((lng + east) / 360)) : null,
  })),
})

const aListing = fc
  .tuple(
    aDraft,
    fc.constantFrom(...AGENTS),
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom('AVAILABLE' as const, 'UNDER_OFFER' as const, 'PAUSED' as const),
  )
  .map(([draft, agent, day, availability]) =>
    published(agent, draft, { availability, publishedAt: timestamp(new Date(Date.UTC(2026, 10, 1 + day))) }),
  )

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })

const aSearch: fc.Arbitrary<GivenFilters> = fc
  .record({
    q: fc.option(fc.constantFrom(...WORDS), { nil: undefined, freq: 1 }),
    offer: optional(fc.constantFrom('sale' as const, 'rent' as const)),
    category: fc.option(fc.subarray(['house', 'land'] as const, { minLength: 1 }), {
      nil: undefined,
      freq: 4,
    }),
    country: fc.option(fc.constantFrom('SN', 'GR', 'DE'), { nil: undefined, freq: 5 }),
    city: fc.option(fc.constantFrom('thies', ' Thiès', 'ΑΘΗΝΑ', 'орел', 'Nowhere'), {
      nil: undefined,
      freq: 5,
    }),
    bbox: fc.option(
      fc.constantFrom(
        '-17,14,-16,15',
        '179,-19,-179,-17',
        '-180,-90,180,90',
        '-16.93,14.79,-16.93,14.79',
        '-180,-90,-179.9,90',
      ),
      { nil: undefined, freq: 3 },
    ),
    near: fc.option(fc.constantFrom('14.79,-16.93', '-18.1,-179.99', '90,77', '37.98,23.72'), {
      nil: undefined,
      freq: 3,
    }),
    currency: optional(fc.constantFrom('XOF' as const, 'EUR' as const)),
    rentPeriod: optional(fc.constantFrom('day' as const, 'month' as const)),
    bedrooms: optional(fc.integer({ min: 0, max: 3 })),
    bathrooms: optional(fc.integer({ min: 0, max: 3 })),
    minArea: optional(fc.constantFrom(0, 40.5)),
    maxArea: optional(fc.constantFrom(40.5, 99)),
    features: fc.option(fc.subarray(['POOL', 'jardin', 'лифт'], { minLength: 1 }), {
      nil: undefined,
      freq: 4,
    }),
    availability: optional(fc.subarray(['UNDER_OFFER' as const], { minLength: 1 })),
    publishedSince: optional(fc.constant(timestamp(new Date('2026-11-03T00:00:00.000Z')))),
    agent: fc.option(fc.constantFrom(...AGENTS, 'nobody'), { nil: undefined, freq: 6 }),
  })
  .chain((given) =>
    fc
      .record({
        minPrice: optional(fc.constantFrom(0, 5)),
        maxPrice: optional(fc.constantFrom(5, 90)),
        radiusKm: optional(fc.constantFrom(0, 0.9, 2, 200)),
      })
      .map(({ minPrice, maxPrice, radiusKm }) => ({
        ...given,
        ...(given.currency && { minPrice, maxPrice }),
        ...(given.near && { radiusKm }),
      })),
  )

/** Folds for itself: the marks of the scripts in these texts are all in one block. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
const parts = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)

/** Where customers see a listing. An approximate point is rounded by its digits. */
function seenAt({ location }: Listing): { lat: number; lng: number } | null {
  if (location?.lat == null || location.lng == null) return null
  const rounded = (value: number) => {
    const digits = BigInt(`${Math.abs(value).toFixed(9)}`.replace('.', ''))
    return (Math.sign(value) * Number((digits + 5_000_000n) / 10_000_000n)) / 100
  }
  const { lat, lng, precision } = location
  return precision === 'exact' ? { lat, lng } : { lat: rounded(lat), lng: rounded(lng) }
}

const kmOf = (listing: Listing, near: string | undefined): number => {
  const at = seenAt(listing)
  const [lat = 0, lng = 0] = (near ?? '').split(',').map(Number)
  return at && near ? distanceKm({ lat, lng }, at) : Number.POSITIVE_INFINITY
}

function isIn(bbox: string, listing: Listing): boolean {
  const [west = 0, south = 0, east = 0, north = 0] = bbox.split(',').map(Number)
  const at = seenAt(listing)
  if (!at || at.lat < south || at.lat > north) return false
  const names = Math.abs(at.lng) === 180 ? [180, -180] : [at.lng]
  return names.some((lng) => (west <= east ? lng >= west && lng <= east : lng >= west || lng <= east))
}

const within = (
  value: number | null,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): boolean => value !== null && value >= from && value <= to

function isAskedFor(listing: Listing, given: GivenFilters): boolean {
  const { location, price, title, description, features } = listing
  if (!location || !price) return false
  const held = [title, description, location.city, location.district, ...features].flatMap((text) =>
    parts(text ?? ''),
  )
  const folds = features.map(folded)
  const isStated = (name: 'bedrooms' | 'bathrooms') =>
    given[name] === undefined || within(listing[name], given[name])
  return [
    given.q === undefined || parts(given.q).every((word) => held.some((each) => each.startsWith(word))),
    given.offer === undefined || given.offer === listing.offer,
    given.category === undefined || given.category.includes(listing.category),
    given.country === undefined || given.country === location.country,
    given.city === undefined || folded(given.city) === folded(location.city),
    given.bbox === undefined || isIn(given.bbox, listing),
    given.near === undefined || kmOf(listing, given.near) <= (given.radiusKm ?? 10),
    given.currency === undefined || given.currency === price.currency,
    within(price.amount, given.minPrice, given.maxPrice),
    given.rentPeriod === undefined || given.rentPeriod === listing.rentPeriod,
    isStated('bedrooms'),
    isStated('bathrooms'),
    (given.minArea ?? given.maxArea) === undefined || within(listing.areaSqm, given.minArea, given.maxArea),
    (given.features ?? []).every((feature) => folds.includes(folded(feature))),
    given.availability === undefined || given.availability.some((state) => state === listing.availability),
    given.publishedSince === undefined || (listing.publishedAt ?? '') >= given.publishedSince,
    given.agent === undefined || given.agent === listing.agentId,
  ].every(Boolean)
}

function ranked(listings: Listing[], order: SearchOrder, given: GivenFilters): string[] {
  const rankOf = (listing: Listing): number => {
    const { price, areaSqm, publishedAt } = listing
    if (order === 'distance') return kmOf(listing, given.near)
    if (order === 'newest') return -Date.parse(publishedAt ?? '')
    if (order === 'price' || order === '-price') return (price?.amount ?? 0) * (order === 'price' ? 1 : -1)
    return areaSqm === null ? Number.POSITIVE_INFINITY : areaSqm * (order === 'area' ? 1 : -1)
  }
  return listings
    .toSorted((one, other) => {
      const [a, b] = [rankOf(one), rankOf(other)]
      return a === b ? (one.id < other.id ? 1 : -1) : a - b
    })
    .map(({ id }) => id)
}

/** Every page of a search, as cursors go on, in the way that it is read where so many match. */
function followed(copy: SearchCopy, given: GivenFilters, order: SearchOrder, total: number): string[] {
  const ids: string[] = []
  const search = prepareSearch(copy, filtersOf(given), NOW)
  for (let after: ReturnType<typeof readPage>[number]['position'] | undefined; ; ) {
    const page = readPage(copy, search, { order, limit: 7, after, total })
    ids.push(...page.map(({ id }) => id))
    after = page.at(-1)?.position
    if (page.length < 7) return ids
  }
}

const countedBy = <Of>(of: readonly Of[], nameOf: (each: Of) => unknown): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(of, nameOf)].map(([name, held]) => [String(name), held.length]))

/** The facets of a search, each of what is found without its own filter. Of prices the ends, and how many there are. */
function facetsOf(found: (without: GivenFilters) => Listing[], { currency }: GivenFilters) {
  const named = (counts: Record<string, number>) =>
    Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1))
  const prices = found({ minPrice: undefined, maxPrice: undefined }).map(({ price }) => price?.amount ?? 0)
  const isPriced = currency !== undefined && prices.length > 0
  return {
    total: found({}).length,
    offers: { sale: 0, rent: 0, ...countedBy(found({ offer: undefined }), ({ offer }) => offer) },
    categories: countedBy(found({ category: undefined }), ({ category }) => category),
    bedrooms: countedBy(
      found({ bedrooms: undefined }).filter(({ bedrooms }) => bedrooms !== null),
      ({ bedrooms }) => bedrooms,
    ),
    features: expect.toSatisfy(
      (shown: Facets['features']) =>
        isDeepStrictEqual(
          named(Object.fromEntries(shown.map(({ feature, count }) => [folded(feature), count]))),
          named(
            countedBy(
              found({ features: undefined }).flatMap(({ features }) => [...new Set(features.map(folded))]),
              (feature) => feature,
            ),
          ),
        ),
      'the features of what is found',
    ),
    cities: expect.toSatisfy(
      (shown: Facets['cities']) =>
        isDeepStrictEqual(
          named(
            Object.fromEntries(
              shown.map(({ country, city, count }) => [`${country} ${folded(city)}`, count]),
            ),
          ),
          named(
            countedBy(
              found({ city: undefined }),
              ({ location }) => `${location?.country} ${folded(location?.city ?? '')}`,
            ),
          ),
        ),
      'the cities of what is found',
    ),
    prices: isPriced
      ? {
          ...{ currency, min: Math.min(...prices), max: Math.max(...prices) },
          bins: expect.toSatisfy(
            (bins: { from: number; to: number; count: number }[]) =>
              bins.every(
                ({ from, to, count }) =>
                  count === prices.filter((amount) => amount >= from && amount < to).length,
              ) && bins.reduce((sum, { count }) => sum + count, 0) === prices.length,
            'the prices of what is found',
          ),
        }
      : null,
  }
}

const ordersOf = ({ near, currency }: GivenFilters): SearchOrder[] => [
  ...(['newest', 'area', '-area'] as const),
  ...(near === undefined ? [] : (['distance'] as const)),
  ...(currency === undefined ? [] : (['price', '-price'] as const)),
]

describe('a copy of the listings', () => {
  it.each([{ bbox: '-17,14,-16,15' }, { near: '14.79,-16.93' }])(
    'finds nothing by %o while there are no listings, and fails no search',
    (given) => {
      const copy = openCopy()
      expect(countTotal(copy, prepareSearch(copy, filtersOf(given), NOW))).toBe(0)
      copy.close()
    },
  )

  it('answers searches as looking at every listing would, while they change under it', async () => {
    const copy = openCopy()
    const world = new Map<string, Listing>()
    const standing = new Map(AGENTS.map((agent) => [agent, true]))
    const replica = { upToDate: async () => copy }
    const put = (listing: Listing) => {
      const { id: subject, version } = listing
      const logged = loggedChangeOf(world.get(subject), listing)
      world.set(subject, listing)
      const lacking = copy.apply(logged ? [{ subject, version, ...logged }] : [], 0)
      if (lacking.length > 0) copy.apply([wholeChangeOf(listing)], 0)
    }
    let revision = 0
    const decide = (subject: UserId, isEligible: boolean) => {
      standing.set(subject, isEligible)
      revision += 1
      copy.apply([{ subject, version: revision, until: isEligible ? NEVER : null }], 0)
    }
    for (const agent of AGENTS) decide(agent, true)
    for (const listing of fc.sample(aListing, 150)) put(listing)
    const changes = fc.sample(fc.tuple(fc.nat(), aListing, fc.nat({ max: 9 })), SEARCHES / 5)
    const searches = fc.sample(aSearch, SEARCHES)
    for (const [round, given] of searches.entries()) {
      const change = round % 5 === 0 ? changes[round / 5] : undefined
      if (change) {
        const [place, draft, kind] = change
        const seen = [...world.values()][place % world.size]
        if (kind === 0) decide(AGENTS[place % 2] ?? draft.agentId, place % 3 > 0)
        else if (seen) {
          const { id, agentId, title, description, location, features } = seen
          const texts = kind < 5 ? { title, description, location, features } : {}
          put({ ...draft, ...texts, id, agentId, version: seen.version + 1 })
        }
      }
      const expected = [...world.values()].filter(
        (listing) =>
          listing.availability !== 'PAUSED' && standing.get(listing.agentId) && isAskedFor(listing, given),
      )
      const orders = ordersOf(given)
      const order = orders[round % orders.length] ?? 'newest'
      const search = prepareSearch(copy, filtersOf(given), NOW)
      const label = JSON.stringify({ given, order })
      expect(countTotal(copy, search), label).toBe(expected.length)
      const total = [expected.length, TOTAL_MAX][round % 2] ?? 0
      expect(followed(copy, given, order, total), label).toEqual(ranked(expected, order, given))
      if (round % 10 === 0) {
        const facets = await countFacets({ replica, now: () => new Date(NOW) }, given)
        const found = (without: GivenFilters) =>
          [...world.values()].filter(
            (listing) =>
              listing.availability !== 'PAUSED' &&
              standing.get(listing.agentId) &&
              isAskedFor(listing, { ...given, ...without }),
          )
        expect(facets, label).toMatchObject(facetsOf(found, given))
        const shown = { ...given, bbox: given.bbox ?? '-180,-90,180,90', zoom: 3 }
        const map = await mapListings({ replica, now: () => new Date(NOW) }, shown)
        expect(map.total, label).toBe(expected.filter((listing) => isIn(shown.bbox, listing)).length)
      }
    }
    copy.close()
  }, 300_000)
})

describe('the plan of every shape of a search', () => {
  const copy = openCopy()
  const plan = (sql: { text: string; values: (string | number | null)[] }): string =>
    copy
      .all(`EXPLAIN QUERY PLAN ${sql.text}`, sql.values)
      .map(({ detail }) => detail)
      .join('\n')
  const SHAPES: [GivenFilters, RegExp][] = [
    [{ agent: AGENTS[0] ?? '' }, /USING (COVERING )?INDEX by_agent/],
    [{ city: 'thies' }, /USING COVERING INDEX place_by_city[\s\S]*by_place/],
    [{ q: 'pool' }, /VIRTUAL TABLE INDEX/],
    [{ bbox: '1,1,2,2' }, /VIRTUAL TABLE INDEX/],
    [{ near: '1,1' }, /VIRTUAL TABLE INDEX/],
    [{ country: 'SN' }, /by_place/],
  ]

  it.each(SHAPES)('counts %o by an index, and scans no table', (given, index) => {
    const text = plan(totalQuery({ filters: filtersOf(given), now: NOW }))
    expect(text).toMatch(index)
    expect(text).not.toMatch(/SCAN listing(?! USING)/)
  })

  it.each([
    { minArea: 40 },
    { currency: 'XOF' as const, maxPrice: 5 },
    { publishedSince: timestamp(new Date(NOW)) },
  ])('looks at every row in its order where only %o is asked for and few match', (given) => {
    const search = { filters: filtersOf(given), now: NOW }
    const page = pageQuery(search, { order: 'newest', limit: 21, after: undefined, total: 999 })
    expect(plan(page)).toMatch(/^SCAN listing$/m)
    expect(plan(totalQuery(search))).toMatch(/^SCAN listing$/m)
  })

  it.each(['newest', 'price', '-price', 'area', '-area'] as const)(
    'walks the index of the order %s',
    (order) => {
      for (const given of [
        {},
        { q: 'pool' },
        { bbox: '1,1,2,2' },
        { features: ['pool'] },
        { city: 'a', bedrooms: 2 },
      ]) {
        for (const after of [
          undefined,
          { value: 5, id: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND' as Listing['id'] },
        ]) {
          const search = { filters: filtersOf({ ...given, currency: 'XOF' }), now: NOW }
          const text = plan(pageQuery(search, { order, limit: 21, after, total: TOTAL_MAX }))
          expect(text).toMatch(/listing USING INDEX by_(newest|price|area|area_down)/)
          expect(text).not.toMatch(/SCAN listing(?! USING)|TEMP B-TREE FOR ORDER BY/)
        }
      }
    },
  )
})
