import { beforeAll, describe, expect, it } from 'vitest'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as searchListings } from '#functions/listings/search-listings'
import { timestamp } from '#lib/kernel/clock'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { call } from '#test/support/call'
import { aVerifiedAgent, consoleToken, type GivenUser, verified } from '#test/support/given'
import { aMedia, listingOf } from '#test/support/listings'
import { aPublishedListing, found, moderated, searched } from '#test/support/published'
import { testTable } from '#test/support/test-table'

let agent: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
})

let places = 0
/** A city that no other test looks into. */
const aCity = () => {
  places += 1
  return {
    country: 'CI',
    city: `Ville ${places}`,
    district: null,
    address: null,
    lat: places / 10,
    lng: 7,
    precision: 'exact' as const,
  }
}

const price = (amount: number): Listing['price'] => ({ amount, currency: 'XOF' })
const search = (query: Record<string, string | string[]>) => call(searchListings, { query })
const patch = (id: string, body: object) => call(editListing, { params: { id }, token: agent.token, body })

describe('200', () => {
  it('answers the whole listing as customers see it, with the distance when that was asked', async () => {
    const location = aCity()
    const id = await aPublishedListing(agent.id, { location, note: 'not for customers' })
    const { body } = await search({ city: location.city })
    expect(body).toMatchObject({
      items: [
        { id, status: 'PUBLISHED', agent: { userId: agent.id, displayName: 'Awa Immobilier' }, location },
      ],
      nextCursor: null,
    })
    const [plain] = body.items
    expect(Object.keys(plain ?? {})).not.toEqual(expect.arrayContaining(['note']))
    expect(plain).toMatchObject({ view: 'public', distanceKm: null })
    const near = await search({ near: `${location.lat + 0.01},7` })
    expect(near.body.items[0]?.distanceKm).toBeCloseTo((0.01 * Math.PI * 6371.0088) / 180, 9)
  })

  it('includes the rim of the circle', async () => {
    const location = { ...aCity(), lat: 60, lng: 0 }
    const id = await aPublishedListing(agent.id, { location })
    const rimKm = (0.05 * Math.PI * 6371.0088) / 180
    expect(await found({ near: '60.05,0', radiusKm: `${rimKm}` })).toEqual([id])
    expect(await found({ near: '60.05,0', radiusKm: `${rimKm - 0.0001}` })).toEqual([])
  })

  it('has one distance to one place, however its meridian is spelled: ties go by id, descending', async () => {
    const spelled = async (lng: number) => [
      await aPublishedListing(agent.id, { location: { ...aCity(), lat: -17, lng } }),
    ]
    const ids = [await spelled(180), await spelled(-180), await spelled(180), await spelled(-180)].flat()
    for (const near of ['-16.9714,179.8368', '-17.4473,-179.7016', '-17,180', '-17,-180']) {
      expect(await found({ near, radiusKm: '100' })).toEqual(ids.toSorted().toReversed())
    }
  })

  it('matches nothing, and is no mistake, where nothing can match', async () => {
    expect(await found({ agent: 'nobody' })).toEqual([])
    expect(await found({ city: 'Atlantis' })).toEqual([])
  })

  it('finds a city whatever its name is made of', async () => {
    const city = '🏠'.repeat(120)
    const id = await aPublishedListing(agent.id, { location: { ...aCity(), city } })
    expect(await found({ city })).toEqual([id])
  })

  it('finds a city by its name in either letter case, with and without its accents', async () => {
    const location = { ...aCity(), city: 'Thiès sur Mer' }
    const id = await aPublishedListing(agent.id, { location })
    for (const city of ['Thiès sur Mer', 'thies sur mer', ' THIES SUR MER ', 'Thie\u0300s sur Mer']) {
      expect(await found({ city })).toEqual([id])
    }
    expect(await found({ city: 'thi s sur mer' })).toEqual([])
  })

  it('takes a country in either letter case', async () => {
    const { city } = await aCityWithOne()
    expect(await found({ city: city.city, country: 'ci' })).toEqual([city.id])
    expect(await found({ city: city.city, country: 'fr' })).toEqual([])
  })

  it('leaves only listings whose price is stated for the rent period', async () => {
    const location = aCity()
    const monthly = await aPublishedListing(agent.id, { location })
    const daily = await aPublishedListing(agent.id, { location, rentPeriod: 'day' })
    const near = `${location.lat},7`
    expect(await found({ city: location.city, rentPeriod: 'day' })).toEqual([daily])
    expect(await found({ city: location.city, rentPeriod: 'month' })).toEqual([monthly])
    expect(await found({ near, radiusKm: '1', rentPeriod: 'day' })).toEqual([daily])
    expect(await found({ city: location.city, rentPeriod: 'week' })).toEqual([])
  })

  it('answers the listings of given ids in their order, each once, without those that are not public', async () => {
    const [first, second] = [await aPublishedListing(agent.id), await aPublishedListing(agent.id)]
    const hidden = await aPublishedListing(agent.id)
    await moderated(hidden, { status: 'SUSPENDED', reasons: ['other'] })
    const malformed = ['nonsense', '', 'x'.repeat(2_000)]
    const ids = [second, ...malformed, first, hidden, second, 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND']
    const { body } = await search({ ids })
    expect(body).toMatchObject({ items: [{ id: second }, { id: first }], nextCursor: null })
    expect((await search({ ids, view: 'card' })).body).toMatchObject({
      items: [{ id: second, distanceKm: null, mediaCount: 1 }, { id: first }],
    })
  })

  it('answers cards that hold a cover and no more media', async () => {
    const location = aCity()
    const hash = 'h'.repeat(22)
    const variant = {
      name: 'full' as const,
      contentType: 'image/jpeg' as const,
      page: null,
      width: 9,
      height: 6,
      hash,
    }
    const cover = aMedia({ variants: [variant] })
    const plan = aMedia({ kind: 'document', contentType: 'application/pdf' })
    const id = await aPublishedListing(agent.id, { location })
    const stored = await listingOf(id)
    if (!stored) throw new Error('gone')
    const { commit, replace } = openListings(testTable())
    await commit(replace(stored, { ...stored, media: [plan, cover, aMedia()] }))
    const { body } = await search({ city: location.city, view: 'card' })
    const url = expect.stringMatching(new RegExp(`/${agent.id}/${id}/${cover.id}/${hash}$`))
    expect(body).toEqual({
      items: [
        {
          view: 'card',
          id,
          offer: 'rent',
          category: 'house',
          title: 'House by the lagoon',
          price: { amount: 150_000, currency: 'XOF' },
          rentPeriod: 'month',
          location: {
            country: 'CI',
            city: location.city,
            district: null,
            lat: location.lat,
            lng: 7,
            precision: 'exact',
          },
          bedrooms: null,
          bathrooms: null,
          areaSqm: null,
          availability: 'AVAILABLE',
          agent: { userId: agent.id, displayName: 'Awa Immobilier', agency: 'Awa & Co' },
          cover: {
            id: cover.id,
            url,
            width: 24,
            height: 16,
            placeholder: null,
            variants: [{ name: 'full', contentType: 'image/jpeg', width: 9, height: 6, page: null, url }],
          },
          mediaCount: 3,
          publishedAt: expect.stringMatching(/Z$/),
          distanceKm: null,
        },
      ],
      nextCursor: null,
      total: 1,
    })
    const near = await search({ near: `${location.lat},7`, radiusKm: '1', view: 'card' })
    expect(near.body).toMatchObject({ items: [{ id, distanceKm: 0 }] })
  })

  it.each([
    { ids: 'lst_a', city: 'Abidjan' },
    { ids: 'lst_a', limit: '20' },
    { ids: 'lst_a', near: '5,5' },

    { ids: Array.from({ length: 51 }, (_, place) => `lst_${place}`) },
    { view: 'tiny' },
  ])('refuses %o', async (query) => {
    expect((await search(query)).status).toBe(400)
  })

  it('refuses parameters that it does not know', async () => {
    expect(await search({ colour: 'blue', city: 'Atlantis' })).toMatchObject({ status: 400 })
  })
})

describe('what is found', () => {
  it('is found by its new price from the moment it has it, and never by the old one', async () => {
    const location = aCity()
    const id = await aPublishedListing(agent.id, { location, price: price(100) })
    const at = (minPrice: string, maxPrice: string, more = {}) =>
      found({ city: location.city, currency: 'XOF', minPrice, maxPrice, ...more })
    expect(await at('100', '100')).toEqual([id])
    await patch(id, { price: price(900) })
    for (const sort of ['newest', 'price', '-price']) {
      expect(await at('100', '100', { sort })).toEqual([])
      expect(await at('900', '900', { sort })).toEqual([id])
    }
    await patch(id, { price: price(100) })
    expect(await at('100', '100', { sort: 'price' })).toEqual([id])
    expect(await at('1', '1000', { sort: 'price' })).toEqual([id])
  })

  it('is found by a revision’s values when it goes live, not before', async () => {
    const [old, next] = [aCity(), aCity()]
    const id = await aPublishedListing(agent.id, { location: old })
    await patch(id, { location: next, bedrooms: 4 })
    expect(await found({ city: old.city })).toEqual([id])
    expect(await found({ city: next.city })).toEqual([])
    await moderated(id, { status: 'PUBLISHED' })
    expect(await found({ city: old.city })).toEqual([])
    expect(await found({ city: next.city, bedrooms: '4' })).toEqual([id])
    expect(await found({ near: `${old.lat},7`, radiusKm: '1' })).toEqual([])
    expect(await found({ near: `${next.lat},7`, radiusKm: '1' })).toEqual([id])
  })

  it('leaves at once when it is suspended or archived, and returns at once when it is restored', async () => {
    const { city } = await aCityWithOne()
    expect(await found({ city: city.city })).toEqual([city.id])
    await moderated(city.id, { status: 'SUSPENDED', reasons: ['other'] })
    expect(await found({ city: city.city })).toEqual([])
    await moderated(city.id, { status: 'PUBLISHED' })
    expect(await found({ city: city.city })).toEqual([city.id])
    await call(archiveListing, { params: { id: city.id }, token: agent.token })
    expect(await found({ city: city.city })).toEqual([])
  })

  it('hides with its agent’s eligibility and comes back with it, whatever the jobs have done meanwhile', async () => {
    const shaky = await aVerifiedAgent()
    const location = aCity()
    const id = await aPublishedListing(shaky.id, { location })
    await call(setKycStatus, {
      token: await consoleToken(),
      body: { userId: shaky.id, kycStatus: 'REJECTED', reasons: ['other'] },
    })
    expect(await found({ agent: shaky.id })).toEqual([])
    await verified(shaky.id)
    expect(await found({ agent: shaky.id })).toEqual([id])
    for (const [status, total] of [
      ['BANNED', 0],
      ['ACTIVE', 1],
    ] as const) {
      await call(updateUser, { token: await consoleToken(), params: { id: shaky.id }, body: { status } })
      expect(await searched({ agent: shaky.id })).toMatchObject({ body: { total } })
    }
  })

  it('keeps the first publication’s place through suspension and change', async () => {
    const location = aCity()
    const first = await aPublishedListing(agent.id, { location, publishedAt: timestamp(new Date(1_000)) })
    const second = await aPublishedListing(agent.id, { location, publishedAt: timestamp(new Date(2_000)) })
    await moderated(first, { status: 'SUSPENDED', reasons: ['other'] })
    await moderated(first, { status: 'PUBLISHED' })
    await patch(first, { price: price(7) })
    expect(await found({ city: location.city })).toEqual([second, first])
  })
})

async function aCityWithOne() {
  const location = aCity()
  return { city: { id: await aPublishedListing(agent.id, { location }), city: location.city } }
}

describe('while others come and go', () => {
  it('yields each listing that stays once, in order', async () => {
    const location = aCity()
    const stay: string[] = []
    for (let day = 0; day < 6; day += 1) {
      stay.unshift(
        await aPublishedListing(agent.id, { location, publishedAt: timestamp(new Date(day * 1_000)) }),
      )
    }
    const gone = await aPublishedListing(agent.id, { location, publishedAt: timestamp(new Date(2_500)) })
    const seen = await found({ city: location.city, limit: '2' }, async () => {
      await call(archiveListing, { params: { id: gone }, token: agent.token })
      await aPublishedListing(agent.id, { location, publishedAt: timestamp(new Date(1_500)) })
    })
    expect(seen.filter((id) => stay.includes(id))).toEqual(stay)
  })
})

describe('a cursor', () => {
  const first = async (query: Record<string, string>): Promise<string> =>
    (await search({ limit: '1', ...query })).body.nextCursor ?? ''

  it('goes on with another limit, and with nothing else than its own search', async () => {
    const location = aCity()
    const ids = [
      await aPublishedListing(agent.id, { location }),
      await aPublishedListing(agent.id, { location }),
    ]
    for (const query of [{ city: location.city }, { near: `${location.lat},7`, radiusKm: '1' }]) {
      const cursor = await first(query)
      const rest = await search({ ...query, cursor, limit: '50' })
      expect(rest.body).toMatchObject({ items: [{ id: expect.toBeOneOf(ids) }] })
      const others: Record<string, string>[] = [
        { ...query, cursor, offer: 'sale' },
        { ...query, cursor, near: '1,1' },
        { cursor },
        { ...query, cursor: `${cursor.slice(0, -2)}${cursor.endsWith('A') ? 'BB' : 'AA'}` },
        { ...query, cursor: 'not-a-cursor' },
        { ...query, cursor: 'A'.repeat(3_000) },
      ]
      for (const other of others) {
        expect(await search(other)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
      }
    }
  })
})

it('a cursor goes on in whichever order a client names several values of a filter', async () => {
  const location = aCity()
  const features = ['Pool', 'Garden']
  const ids = [
    await aPublishedListing(agent.id, { location, features }),
    await aPublishedListing(agent.id, { location, features }),
  ]
  const query = { city: location.city, limit: '1' }
  const availability = ['AVAILABLE', 'UNDER_OFFER']
  const category = ['apartment', 'house']
  const { body } = await call(searchListings, { query: { ...query, availability, category, features } })
  const reversed = Object.fromEntries(
    Object.entries({ availability, category, features }).map(([name, values]) => [name, values.toReversed()]),
  )
  const rest = await call(searchListings, { query: { ...query, ...reversed, cursor: body.nextCursor ?? '' } })
  expect(rest.body).toMatchObject({ items: [{ id: ids[0] }], nextCursor: null })
})

describe('400', () => {
  it.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ offer: 'swap' }, 'offer'],
    [{ category: 'castle' }, 'category'],
    [{ country: 'XX' }, 'country'],
    [{ country: 'ß' }, 'country'],
    [{ country: 'cı' }, 'country'],
    [{ bedrooms: '-1' }, 'bedrooms'],
    [{ bedrooms: '1.5' }, 'bedrooms'],
    [{ bedrooms: '' }, 'bedrooms'],
    [{ bedrooms: '0x2' }, 'bedrooms'],
    [{ limit: '1e1' }, 'limit'],
    [{ minPrice: '', currency: 'XOF' }, 'minPrice'],
    [{ maxPrice: ' ', currency: 'XOF' }, 'maxPrice'],
    [{ near: '1,2', radiusKm: '' }, 'radiusKm'],
    [{ city: ' ' }, 'city'],
    [{ minPrice: '1' }, 'currency'],
    [{ maxPrice: '1' }, 'currency'],
    [{ sort: 'price' }, 'currency'],
    [{ sort: '-price' }, 'currency'],
    [{ sort: 'oldest' }, 'sort'],
    [{ currency: 'ABC' }, 'currency'],
    [{ near: '91,0' }, 'near'],
    [{ near: '0,361' }, 'near'],
    [{ near: 'Abidjan' }, 'near'],
    [{ near: '1,2,3' }, 'near'],
    [{ near: '1,2', radiusKm: '200.1' }, 'radiusKm'],
    [{ near: '1,2', radiusKm: '-1' }, 'radiusKm'],
    [{ near: '1,2', sort: 'price' }, 'currency'],
    [{ sort: 'distance' }, 'sort'],
    [{ radiusKm: '5' }, 'radiusKm'],
    [{ near: 'NaN,1' }, 'near'],
    [{ near: '1e308,0' }, 'near'],
    [{ near: '1,2', radiusKm: '1e2' }, 'radiusKm'],
    [{ minPrice: '2', maxPrice: '1', currency: 'XOF' }, 'minPrice'],
    [{ minArea: '2', maxArea: '1' }, 'minArea'],
    [{ minArea: 'Infinity' }, 'minArea'],
    [{ q: '!!!' }, 'q'],
    [{ q: '🏠' }, 'q'],
    [{ q: '' }, 'q'],
    [{ q: 'a'.repeat(101) }, 'q'],
    [{ bbox: '1,2,3' }, 'bbox'],
    [{ bbox: '1,2,3,NaN' }, 'bbox'],
    [{ bbox: '-361,0,0,1' }, 'bbox'],
    [{ bbox: '0,-91,1,1' }, 'bbox'],
    [{ bbox: '0,2,1,1' }, 'bbox'],
    [{ availability: 'TAKEN' }, 'availability'],
    [{ publishedSince: '2026-11-20' }, 'publishedSince'],
    [{ features: '' }, 'features'],
    [{ near: '1,2', minPrice: '5' }, 'currency'],
  ])('answers %o by naming %s', async (query, path) => {
    expect(await search(query)).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        errors: expect.arrayContaining([
          expect.objectContaining({ path: expect.stringMatching(new RegExp(`^${path}\\b`)) }),
        ]),
      },
    })
  })
})
