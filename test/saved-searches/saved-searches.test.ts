import { beforeAll, describe, expect, it } from 'vitest'
import { spec as followListingsToMatch } from '#functions/jobs/follow-listings-to-match'
import { spec as searchAlerts } from '#functions/jobs/search-alerts'
import { spec as changeSavedSearch } from '#functions/saved-searches/change-saved-search'
import { spec as createSavedSearch } from '#functions/saved-searches/create-saved-search'
import { spec as deleteSavedSearch } from '#functions/saved-searches/delete-saved-search'
import { spec as getSavedSearch } from '#functions/saved-searches/get-saved-search'
import { spec as listSavedSearches } from '#functions/saved-searches/list-saved-searches'
import { openEventLog } from '#lib/events/event-log.dynamo'
import { EVENTS } from '#lib/events/event-types'
import { timestamp } from '#lib/kernel/clock'
import { type ListingId, lastIdBefore, newId, UserId } from '#lib/kernel/id'
import { nextMorning } from '#lib/kernel/morning'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { openSavedSearches } from '#lib/saved-searches/saved-search-store.dynamo'
import type { SavedSearchView } from '#lib/saved-searches/saved-search-view'
import { call, problemOf } from '#test/support/call'
import { aCustomer, aListedHouse } from '#test/support/enquiries'
import type { GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing, COMPLETE, listingOf } from '#test/support/listings'
import { anEvent, mailsOfEvent } from '#test/support/notifications'
import { pagesOf } from '#test/support/pages'
import { deliveredTo, listingChangeOf } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

let agent: GivenUser

beforeAll(async () => {
  agent = (await aListedHouse()).agent
})

type Body = { name?: string; filters?: object; alert?: string }
const create = ({ token }: GivenUser, body: Body = {}, headers: Record<string, string> = {}) =>
  call(createSavedSearch, {
    token,
    headers,
    body: { name: 'By the lagoon', filters: { country: 'CI' }, alert: 'instant', ...body },
  })
const saved = async (person: GivenUser, body?: Body): Promise<SavedSearchView> => {
  const { status, body: view, text } = await create(person, body)
  if (status !== 201) throw new Error(text)
  return view
}
const change = ({ token }: GivenUser, id: string, body: Body) =>
  call(changeSavedSearch, { params: { id }, token, body })

/** A city of its own, so that no other test finds its listings. */
let cities = 0
const aCity = () => {
  cities += 1
  return `Ville ${newId('event')} ${cities}`
}
const inCity = (city: string, more: Partial<Listing> = {}): Partial<Listing> => ({
  ...COMPLETE,
  location: { ...(COMPLETE.location as NonNullable<Listing['location']>), city },
  ...more,
})

/** Makes a listing public and delivers that change. */
async function published(more: Partial<Listing>, meanwhile?: () => Promise<unknown>): Promise<ListingId> {
  const id = await aListing(agent.id, more)
  const listing = (await listingOf(id)) as Listing
  await meanwhile?.()
  await deliveredTo(followListingsToMatch, [
    listingChangeOf({ ...listing, status: 'PENDING_REVIEW' }, listing),
  ])
  return id
}

/** Changes a public listing and delivers the change. */
async function changed(id: ListingId, more: Partial<Listing>): Promise<void> {
  const before = (await listingOf(id)) as Listing
  const after = { ...before, updatedAt: timestamp(new Date()), ...more, version: before.version + 1 }
  const listings = openListings(testTable())
  await listings.commit([listings.replace(before, after)].flat())
  await deliveredTo(followListingsToMatch, [listingChangeOf(before, after)])
}

const run = (at?: string) => runJob(searchAlerts, {}, at === undefined ? {} : { at })

/** The alerts that were announced of a search, oldest first. */
async function alertsOf({ id }: Pick<SavedSearchView, 'id'>) {
  const after = lastIdBefore('event', new Date(Date.now() - 3600_000))
  const { items } = await openEventLog(testTable()).list(id, { limit: 50, after })
  return items.map(({ type, data }) => ({ type, ...data }))
}

describe('a saved search', () => {
  it('is kept with its filters as JSON, and read, listed, changed and deleted by its owner', async () => {
    const person = await aCustomer()
    const filters = {
      offer: 'rent',
      country: 'CI',
      category: ['house', 'villa'],
      near: '5.3,-4.0',
      radiusKm: 5,
      minPrice: 1,
      currency: 'XOF',
    }
    const search = await saved(person, { filters })
    expect(search).toMatchObject({ name: 'By the lagoon', filters, alert: 'instant', lastAlertAt: null })
    const other = await saved(person, { name: 'Second', alert: 'off' })
    const pages = await pagesOf<SavedSearchView>(listSavedSearches, person.token, { limit: '1' })
    expect(pages.flat().map(({ id }) => id)).toEqual([other.id, search.id])
    expect(await change(person, search.id, { name: 'Third' })).toMatchObject({
      status: 200,
      body: { name: 'Third', filters, alert: 'instant' },
    })
    const of = (id: string, token = person.token) => call(getSavedSearch, { params: { id }, token })
    expect(await of(search.id)).toMatchObject({ status: 200, body: { name: 'Third' } })
    expect(await of(search.id, (await aCustomer()).token)).toMatchObject({ status: 404 })
    const remove = () => call(deleteSavedSearch, { params: { id: search.id }, token: person.token })
    expect(await remove()).toMatchObject({ status: 204 })
    expect(await remove()).toMatchObject({ status: 404 })
    expect(await of(search.id)).toMatchObject({ status: 404 })
    expect(await of('nonsense')).toMatchObject({ status: 404 })
  })

  it.each([
    ['an unknown filter', { colour: 'red' }, 'filters.colour'],
    ['a parameter that is no filter', { country: 'CI', sort: 'price' }, 'filters.sort'],
    ['a number as text', { bedrooms: '2' }, 'filters.bedrooms'],
    ['a range without a currency', { minPrice: 1 }, 'filters.currency'],
    ['a minimum above its maximum', { minArea: 9, maxArea: 1 }, 'filters.minArea'],
    ['a radius without a point', { radiusKm: 1 }, 'filters.radiusKm'],
    ['a rectangle inside out', { bbox: '1,9,2,8' }, 'filters.bbox'],
    ['words without a letter', { q: '***' }, 'filters.q'],
    ['an agent named by half a character', { agent: 'usr_\ud83d' }, 'filters.agent'],
    ['no filter', {}, 'filters'],
  ])('of %s is refused at its name', async (_what, filters, path) => {
    const refused = await create(agent, { filters })
    expect(refused.status).toBe(400)
    expect(problemOf(refused, 'validation_failed').errors.map(({ path: at }) => at)).toContain(path)
  })

  it('of unknown and wrong filters is refused at each of their names', async () => {
    const filters = { colour: 'red', bedrooms: '2', sort: 'price', offer: 'swap' }
    const { errors } = problemOf(await create(agent, { filters }), 'validation_failed')
    const names = ['bedrooms', 'colour', 'offer', 'sort']
    expect(errors.map(({ path }) => path).toSorted()).toEqual(names.map((name) => `filters.${name}`))
  })

  it('of numbers that are almost 0 is kept with 0', async () => {
    const filters = { near: '5.3,-4.0', radiusKm: 1e-140, minArea: 1e-200, maxArea: 5e-324 }
    const search = await saved(await aCustomer(), { filters })
    expect(search.filters).toEqual({ near: '5.3,-4.0', radiusKm: 0, minArea: 0, maxArea: 0 })
  })

  it('a search with a filter that this version does not know is kept, finds nothing, and can be changed', async () => {
    const [person, city] = [await aCustomer(), aCity()]
    const at = timestamp(new Date())
    const filters = { city, sunlight: 'all day' }
    const id = newId('savedSearch')
    const searches = openSavedSearches(testTable())
    await searches.commit(
      searches.insert({
        ...{ id, userId: UserId.parse(person.id), name: 'Sunny', filters, alert: 'instant' },
        ...{ createdAt: at, lastAlertAt: null, since: at, sentUpTo: at, version: 1 },
      }),
    )
    const listing = await published(inCity(city))
    await run()
    const read = await call(getSavedSearch, { params: { id }, token: person.token })
    expect(read).toMatchObject({ status: 200, body: { filters, lastAlertAt: null } })
    expect(await pagesOf(listSavedSearches, person.token)).toMatchObject([[{ id, filters }]])
    expect(await change(person, id, { name: 'Sunlit' })).toMatchObject({
      status: 200,
      body: { name: 'Sunlit', filters },
    })
    expect(await change(person, id, { filters })).toMatchObject({ status: 400 })
    expect(await change(person, id, { filters: { city } })).toMatchObject({ status: 200 })
    await changed(listing, {
      price: { amount: 1, currency: 'XOF' },
      location: inCity(aCity()).location ?? null,
    })
    await changed(listing, { location: inCity(city).location ?? null })
    await run()
    expect(await alertsOf({ id })).toMatchObject([{ count: 1, listingIds: [listing] }])
  })

  it('is one of twenty at most, however many are saved at once', async () => {
    const person = await aCustomer()
    const all = await Promise.all(Array.from({ length: 24 }, () => create(person)))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = all.filter(({ status }) => status !== 201)
    expect(refused.map((answer) => problemOf(answer).code)).toEqual(
      Array(4).fill('saved_search_limit_reached'),
    )
  })

  it('is saved once by one Idempotency-Key', async () => {
    const person = await aCustomer()
    const key = { 'idempotency-key': newId('event') }
    const [first, again] = [await create(person, {}, key), await create(person, {}, key)]
    expect(again.body).toEqual(first.body)
    expect((await pagesOf(listSavedSearches, person.token)).flat()).toHaveLength(1)
  })
})

describe('an instant alert', () => {
  it('names what became public and fits, once a search, and never one’s own', async () => {
    const [person, city] = [await aCustomer(), aCity()]
    await published(inCity(city))
    const search = await saved(person, { filters: { city, bedrooms: 2 } })
    const own = await saved(agent, { filters: { city } })
    const listing = await published(inCity(city, { bedrooms: 3 }))
    await published(inCity(city, { bedrooms: 1 }))
    await run()
    await run()
    expect(await alertsOf(search)).toEqual([
      { type: 'saved_search.matched', userId: person.id, count: 1, listingIds: [listing] },
    ])
    expect(await alertsOf(own)).toEqual([])
    const { body } = await call(getSavedSearch, { params: { id: search.id }, token: person.token })
    expect(body).toMatchObject({ lastAlertAt: expect.any(String) })

    await changed(listing, { title: 'House by the lagoon, again' })
    await run()
    expect(await alertsOf(search)).toHaveLength(1)
  })

  it('names a listing that begins to fit, and none that fitted already', async () => {
    const [person, city] = [await aCustomer(), aCity()]
    const dear = await published(inCity(city, { price: { amount: 900, currency: 'XOF' } }))
    const cheap = await published(inCity(city, { price: { amount: 100, currency: 'XOF' } }))
    await run()
    const search = await saved(person, { filters: { city, maxPrice: 500, currency: 'XOF' } })
    await changed(dear, { price: { amount: 400, currency: 'XOF' } })
    await changed(cheap, { price: { amount: 90, currency: 'XOF' } })
    await run()
    expect(await alertsOf(search)).toMatchObject([{ count: 1, listingIds: [dear] }])
  })

  it('names a listing that begins to fit and changes once more at that moment', async () => {
    const [person, city] = [await aCustomer(), aCity()]
    const listing = await published(inCity(city, { bedrooms: 1 }))
    const search = await saved(person, { filters: { city, bedrooms: 3 } })
    const updatedAt = timestamp(new Date())
    await changed(listing, { bedrooms: 3, updatedAt })
    await changed(listing, { title: 'House by the lagoon, again', updatedAt })
    await run()
    expect(await alertsOf(search)).toMatchObject([{ count: 1, listingIds: [listing] }])
  })

  it('leaves out what became public before the search was made, however late that is delivered', async () => {
    const [person, city] = [await aCustomer(), aCity()]
    const searches: SavedSearchView[] = []
    await published(inCity(city), async () => searches.push(await saved(person, { filters: { city } })))
    const next = await published(inCity(city))
    await run()
    const [search] = searches
    expect(search && (await alertsOf(search))).toMatchObject([{ count: 1, listingIds: [next] }])
  })

  it('leaves out what is not public when it is sent, which may be found later', async () => {
    const [person, city] = [await aCustomer(), aCity()]
    const search = await saved(person, { filters: { city }, alert: 'daily' })
    const listing = await published(inCity(city))
    await run()
    await changed(listing, { status: 'SUSPENDED' })
    await run(nextMorning(new Date()))
    expect(await alertsOf(search)).toEqual([])
    await changed(listing, { status: 'PUBLISHED' })
    await run(nextMorning(new Date()))
    expect(await alertsOf(search)).toMatchObject([{ count: 1, listingIds: [listing] }])
  })

  it('goes by what the search asked when the listing changed', async () => {
    const [person, city] = [await aCustomer(), aCity()]
    const search = await saved(person, { filters: { city }, alert: 'off' })
    await published(inCity(city))
    await change(person, search.id, { alert: 'instant' })
    await run()
    expect(await alertsOf(search)).toEqual([])
    const next = await published(inCity(city))
    await run()
    expect(await alertsOf(search)).toMatchObject([{ count: 1, listingIds: [next] }])
  })

  it('is one notification and one mail, with a line for each of the first five', async () => {
    const [person, city] = [await aCustomer(), aCity()]
    const search = await saved(person, { filters: { city } })
    const ids = []
    for (let count = 0; count < 6; count += 1)
      ids.push(await published(inCity(city, { title: `House ${count}` })))
    await run()
    const [alert] = await alertsOf(search)
    expect(alert).toMatchObject({ count: 6, listingIds: ids.slice(0, 5) })
    const { type: _type, ...data } = alert ?? { type: '' }
    const [mail] = await mailsOfEvent(
      anEvent('saved_search.matched', search.id, EVENTS['saved_search.matched'].parse(data)),
    )
    expect(mail).toMatchObject({ to: person.email, subject: 'New listings for “By the lagoon”' })
    expect(mail?.text).toContain('- “House 0”')
    expect(mail?.headers).toHaveProperty('List-Unsubscribe')
  })
})

describe('a daily alert', () => {
  it('waits for 07:00 UTC and holds what a day brought', async () => {
    const [person, city] = [await aCustomer(), aCity()]
    const search = await saved(person, { filters: { city }, alert: 'daily' })
    await published(inCity(city))
    await published(inCity(city))
    await run()
    const morning = nextMorning(new Date())
    await run(timestamp(new Date(Date.parse(morning) - 1)))
    expect(await alertsOf(search)).toEqual([])
    await run(morning)
    await run(morning)
    expect(await alertsOf(search)).toMatchObject([{ count: 2 }])
    await published(inCity(city))
    await run(morning)
    expect(await alertsOf(search)).toMatchObject([{ count: 2 }, { count: 1 }])
  })

  it.each([
    ['switched off', { alert: 'off' }, { alert: 'instant' }],
    ['given other filters', { filters: { bedrooms: 9 } }, {}],
  ] as [string, Body, Body][])(
    'of a search that was %s before leaves its listing to be found again',
    async (_, ...changes) => {
      const [person, city] = [await aCustomer(), aCity()]
      const search = await saved(person, { filters: { city }, alert: 'daily' })
      const listing = await published(inCity(city, { bedrooms: 1 }))
      await run()
      const [first, second] = changes
      await change(person, search.id, {
        ...first,
        ...(first?.filters && { filters: { city, ...first.filters } }),
      })
      const morning = nextMorning(new Date())
      await run(morning)
      expect(await alertsOf(search)).toEqual([])
      await change(person, search.id, second ?? {})
      await changed(listing, { status: 'SUSPENDED' })
      await changed(listing, { status: 'PUBLISHED', bedrooms: 9 })
      await run(morning)
      expect(await alertsOf(search)).toMatchObject([{ count: 1, listingIds: [listing] }])
    },
  )

  it.each([
    ['given other filters', (city: string) => [{ filters: { city, bedrooms: 9 } }]],
    ['switched off and on', () => [{ alert: 'off' }, { alert: 'daily' }]],
  ] as [string, (city: string) => Body[]][])(
    'of a search that was %s names a listing that was found before and begins to fit after',
    async (_, changesIn) => {
      const [person, city] = [await aCustomer(), aCity()]
      const search = await saved(person, { filters: { city }, alert: 'daily' })
      const listing = await published(inCity(city, { bedrooms: 1 }))
      await run()
      for (const one of changesIn(city)) await change(person, search.id, one)
      await changed(listing, { status: 'SUSPENDED' })
      await changed(listing, { status: 'PUBLISHED', bedrooms: 9 })
      await run()
      await run(nextMorning(new Date()))
      expect(await alertsOf(search)).toMatchObject([{ count: 1, listingIds: [listing] }])
    },
  )
})
