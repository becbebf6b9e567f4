import { beforeAll, describe, expect, it } from 'vitest'
import { spec as listFavourites } from '#functions/favourites/list-favourites'
import { spec as removeFavourite } from '#functions/favourites/remove-favourite'
import { spec as saveFavourite } from '#functions/favourites/save-favourite'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as countView } from '#functions/listings/count-view'
import { spec as getListingStatistics } from '#functions/listings/get-listing-statistics'
import { openFavourites } from '#lib/favourites/favourite-store.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { newId, UserId } from '#lib/kernel/id'
import { call } from '#test/support/call'
import { aCustomer, aListedHouse, ask } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { aListing, COMPLETE } from '#test/support/listings'
import { pagesOf } from '#test/support/pages'
import { testTable } from '#test/support/test-table'

let agent: GivenUser
let listing: string

beforeAll(async () => {
  const house = await aListedHouse()
  agent = house.agent
  listing = house.listing
})

const save = ({ token }: GivenUser, listingId = listing) =>
  call(saveFavourite, { params: { listingId }, token })
const remove = ({ token }: GivenUser, listingId = listing) =>
  call(removeFavourite, { params: { listingId }, token })
const favouritesOf = async ({ token }: GivenUser) =>
  (await pagesOf<{ listing: { id: string; view: string }; savedAt: string }>(listFavourites, token)).flat()
const view = (ipAddress: string, more: object = {}) =>
  call(countView, { params: { id: listing }, ipAddress, ...more })
const statisticsOf = (token: string, query: Record<string, string> = {}) =>
  call(getListingStatistics, { params: { id: listing }, token, query })

describe('a favourite', () => {
  it('is saved once however often it is put, and keeps when and at which price', async () => {
    const person = await aCustomer()
    const answers = await Promise.all([save(person), save(person), save(person)])
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
    const [first] = await favouritesOf(person)
    expect(first).toMatchObject({ listing: { view: 'card', id: listing }, savedPrice: COMPLETE.price })
    await save(person)
    expect(await favouritesOf(person)).toEqual([first])
  })

  it('is listed newest first in pages', async () => {
    const person = await aCustomer()
    const others = [await aListing(agent.id, COMPLETE), await aListing(agent.id, COMPLETE)]
    for (const each of [listing, ...others]) await save(person, each)
    const pages = await pagesOf<{ listing: { id: string } }>(listFavourites, person.token, { limit: '2' })
    expect(pages.map((page) => page.map(({ listing: { id } }) => id))).toEqual([
      [others[1], others[0]],
      [listing],
    ])
  })

  it('a favourite that left the public is GONE, and can still be put and removed', async () => {
    const person = await aCustomer()
    const gone = await aListing(agent.id, COMPLETE)
    await save(person, gone)
    await call(archiveListing, { params: { id: gone }, token: agent.token })
    expect(await favouritesOf(person)).toMatchObject([
      { listing: { view: 'gone', id: gone, status: 'GONE' } },
    ])
    expect(await save(person, gone)).toMatchObject({ status: 204 })
    expect(await remove(person, gone)).toMatchObject({ status: 204 })
    expect(await remove(person, gone)).toMatchObject({ status: 204 })
    expect(await favouritesOf(person)).toEqual([])
  })

  it('a favourite of a listing that is not public, or of an id of another shape, is a 404', async () => {
    const person = await aCustomer()
    const draft = await aListing(agent.id, { ...COMPLETE, status: 'DRAFT' })
    for (const id of [draft, newId('listing'), 'nonsense']) {
      expect(await save(person, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await remove(person, 'nonsense')).toMatchObject({ status: 404 })
    expect(await remove(person, newId('listing'))).toMatchObject({ status: 204 })
  })

  it('beyond 500 is refused, and one fewer makes room for one', async () => {
    const person = await aCustomer()
    const favourites = openFavourites(testTable())
    const userId = UserId.parse(person.id)
    const savedPrice = { amount: 1, currency: 'XOF' as const }
    for (let count = 0; count < 500; count += 1) {
      const favourite = { userId, listingId: newId('listing'), savedAt: timestamp(new Date()), savedPrice }
      await favourites.commit(favourites.insert(favourite))
    }
    expect(await save(person)).toMatchObject({ status: 409, body: { code: 'favourite_limit_reached' } })
    const [first] = await favourites.ofUser(userId)
    await remove(person, first?.listingId)
    const both = await Promise.all([save(person), save(person, await aListing(agent.id, COMPLETE))])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
  })
})

describe('the statistics of a listing', () => {
  it('count a view once for a network and day, and never the owner’s or an administrator’s', async () => {
    const admin = await consoleToken()
    const before = (await statisticsOf(agent.token)).body
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) {
      expect(await view(address)).toMatchObject({ status: 204 })
    }
    await view('203.0.113.3', { token: agent.token })
    await view('203.0.113.4', { token: admin })
    const { body } = await statisticsOf(agent.token)
    expect(body).toMatchObject({ totals: { views: before.totals.views + 2 } })
    expect(await view('203.0.113.9', { token: 'no token' })).toMatchObject({ status: 401 })
    expect(await call(countView, { params: { id: newId('listing') } })).toMatchObject({ status: 404 })
  })

  it('count at most three hundred views of a network a day', async () => {
    const { agent: owner, listing: id } = await aListedHouse()
    const exceeded = () => new DomainError('too_many_requests')
    const count = () => ({
      update: { pk: 'QUOTA#full', sk: 'full' },
      set: {},
      when: 'present' as const,
      otherwise: exceeded,
    })
    const full = { params: { id }, ipAddress: '203.0.113.20', deps: { quotas: { count } } }
    expect(await call(countView, full)).toMatchObject({ status: 204 })
    const { body } = await call(getListingStatistics, { params: { id }, token: owner.token })
    expect(body).toMatchObject({ totals: { views: 0 } })
  })

  it('name every day of the last thirty, with what was saved and asked today', async () => {
    const { agent: owner, listing: id } = await aListedHouse()
    const person = await aCustomer()
    await save(person, id)
    await remove(person, id)
    await save(person, id)
    await ask(person, id)
    await ask(person, id)
    const { body } = await call(getListingStatistics, { params: { id }, token: owner.token })
    const { days, totals } = body
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toEqual({
      date: timestamp(new Date()).slice(0, 10),
      views: 0,
      favourites: 2,
      enquiries: 1,
    })
    expect(totals).toEqual({ views: 0, favourites: 2, enquiries: 1 })
  })

  it('span thirty days from or to one day, and at most ninety between two', async () => {
    const spanOf = async (query: Record<string, string>) => {
      const { status, body } = await statisticsOf(agent.token, query)
      if (status !== 200) return status
      const days = body.days
      return [days.length, days[0]?.date, days.at(-1)?.date]
    }
    expect(await spanOf({ from: '2026-02-01' })).toEqual([30, '2026-02-01', '2026-03-02'])
    expect(await spanOf({ to: '2026-03-02' })).toEqual([30, '2026-02-01', '2026-03-02'])
    expect(await spanOf({ from: '2026-01-01', to: '2026-03-31' })).toEqual([90, '2026-01-01', '2026-03-31'])
    expect(await spanOf({ from: '2026-01-01', to: '2026-04-01' })).toBe(400)
    expect(await spanOf({ from: '2026-01-02', to: '2026-01-01' })).toBe(400)
    expect(await spanOf({ from: '9999-12-20' })).toBe(400)
    expect(await spanOf({ from: '2026-02-30' })).toBe(400)
  })

  it('are for owner and administrators', async () => {
    const stranger = await aCustomer()
    expect(await statisticsOf(await consoleToken())).toMatchObject({ status: 200 })
    expect(await statisticsOf(stranger.token)).toMatchObject({ status: 403 })
  })
})
