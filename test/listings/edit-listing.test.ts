import { beforeAll, describe, expect, it } from 'vitest'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { timestamp } from '#lib/kernel/clock'
import { WriteConflict } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { type Call, call } from '#test/support/call'
import { aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { moderated } from '#test/support/published'
import { testTable } from '#test/support/test-table'

let agent: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
})

const edit = (id: string, body: object, more: Call = {}) =>
  call(editListing, { params: { id }, token: agent.token, body, ...more })

const aListingThatIs = (status: Listing['status'], more: Partial<Listing> = {}) =>
  aListing(agent.id, {
    ...COMPLETE,
    media: [aMedia()],
    status,
    publishedAt: status === 'PUBLISHED' || status === 'SUSPENDED' ? timestamp(new Date(0)) : null,
    ...more,
  })

describe('of a draft', () => {
  it('changes what is said, leaves what is not, and clears what is null', async () => {
    const created = await call(createListing, {
      token: agent.token,
      body: { offer: 'rent', category: 'house', title: 'A house', bedrooms: 3, features: ['pool'] },
    })
    const { id } = created.body
    const answer = await edit(id, {
      category: 'villa',
      bedrooms: null,
      price: { amount: 5, currency: 'XOF' },
    })
    expect(answer).toMatchObject({
      status: 200,
      headers: { etag: '"2-owner"' },
      body: {
        category: 'villa',
        title: 'A house',
        bedrooms: null,
        price: { amount: 5 },
        features: ['pool'],
        rentPeriod: 'month',
      },
    })
    expect((await edit(id, { features: null, offer: 'sale' })).body).toMatchObject({
      features: [],
      rentPeriod: null,
    })
  })

  it('replaces a location whole', async () => {
    const id = await aListingThatIs('DRAFT')
    await edit(id, { location: { country: 'CI', city: 'Abidjan', district: 'Cocody', lat: 5, lng: -4 } })
    const answer = await edit(id, { location: { country: 'CI', city: 'Bouaké' } })
    expect(answer.body.location).toEqual({
      country: 'CI',
      city: 'Bouaké',
      district: null,
      address: null,
      lat: null,
      lng: null,
      precision: 'exact',
    })
  })

  it('makes no version for a change without news, and ignores fields that an agent may not set', async () => {
    const id = await aListingThatIs('DRAFT')
    const answer = await edit(id, {
      title: COMPLETE.title,
      status: 'PUBLISHED',
      agentId: 'usr_1',
      version: 9,
    })
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-owner"' }, body: { status: 'DRAFT' } })
  })
})

describe('in review', () => {
  it('changes at once, and a moderator who saw it before is told by If-Match', async () => {
    const id = await aListingThatIs('PENDING_REVIEW')
    expect(await edit(id, { title: 'Another title' })).toMatchObject({
      body: { title: 'Another title', revision: null },
      headers: { etag: '"2-owner"' },
    })
  })
})

describe('of a live listing', () => {
  it.each(['PUBLISHED', 'SUSPENDED'] as const)(
    '%s: the price changes at once, the rest waits',
    async (status) => {
      const id = await aListingThatIs(status)
      const answer = await edit(id, {
        title: 'A better title',
        bedrooms: 2,
        price: { amount: 9, currency: 'XOF' },
      })
      expect(answer.body).toMatchObject({
        status,
        title: COMPLETE.title,
        bedrooms: null,
        price: { amount: 9 },
        revision: { changes: { title: 'A better title', bedrooms: 2 }, submittedAt: expect.any(String) },
      })
      expect(Object.keys(answer.body.revision?.changes ?? {})).toEqual(['title', 'bedrooms'])
    },
  )

  it('is seen by customers as it was, with its new price, until a moderator decides', async () => {
    const id = await aListingThatIs('PUBLISHED')
    await edit(id, { title: 'A better title', price: { amount: 9, currency: 'XOF' } })
    const seen = await call(getListing, { params: { id } })
    expect(seen.body).toMatchObject({ title: COMPLETE.title, price: { amount: 9 } })
    expect(seen.body).not.toHaveProperty('revision')
    await moderated(id, { status: 'PUBLISHED' })
    expect((await call(getListing, { params: { id } })).body).toMatchObject({
      title: 'A better title',
      price: { amount: 9 },
    })
  })

  it('gathers changes in one revision that keeps its place in the queue, and forgets what is changed back', async () => {
    const id = await aListingThatIs('PUBLISHED')
    const first = (await edit(id, { title: 'A better title' })).body
    const second = (await edit(id, { bedrooms: 5 })).body
    expect(second.revision).toEqual({
      changes: { title: 'A better title', bedrooms: 5 },
      submittedAt: first.revision?.submittedAt,
    })
    expect((await edit(id, { title: COMPLETE.title })).body).toMatchObject({
      revision: { changes: { bedrooms: 5 } },
    })
    expect((await edit(id, { bedrooms: null })).body).toMatchObject({ revision: null })
  })

  it('keeps a revision in which only media wait', async () => {
    const revision = { changes: { bedrooms: 5 }, submittedAt: timestamp(new Date(5)) }
    const id = await aListingThatIs('PUBLISHED', { revision, media: [aMedia(), aMedia({ isPending: true })] })
    expect((await edit(id, { bedrooms: null })).body).toMatchObject({
      revision: { changes: {}, submittedAt: revision.submittedAt },
    })
  })

  it('offered another way gets the period that goes with it', async () => {
    const id = await aListingThatIs('PUBLISHED')
    expect((await edit(id, { offer: 'sale' })).body).toMatchObject({
      offer: 'rent',
      rentPeriod: 'month',
      revision: { changes: { offer: 'sale', rentPeriod: null } },
    })
  })

  it.each(['year', 'month'] as const)(
    'offered another way and back waits no more, with the period by the %s that it has',
    async (rentPeriod) => {
      const id = await aListingThatIs('PUBLISHED', { rentPeriod })
      await edit(id, { offer: 'sale' })
      expect((await edit(id, { offer: 'rent' })).body).toMatchObject({ rentPeriod, revision: null })
    },
  )

  it('gets another period only where that is asked for: null is by the month', async () => {
    const id = await aListingThatIs('PUBLISHED', { rentPeriod: 'year' })
    await edit(id, { offer: 'sale' })
    expect((await edit(id, { offer: 'rent', rentPeriod: null })).body).toMatchObject({
      revision: { changes: { rentPeriod: 'month' } },
    })
    expect((await edit(id, { rentPeriod: 'week' })).body).toMatchObject({
      revision: { changes: { rentPeriod: 'week' } },
    })
    expect((await edit(id, { bedrooms: 1 })).body).toMatchObject({
      revision: { changes: { rentPeriod: 'week', bedrooms: 1 } },
    })
  })

  it('a sale that is to be a rent gets a period by the month', async () => {
    const id = await aListingThatIs('PUBLISHED', { offer: 'sale', rentPeriod: null })
    expect((await edit(id, { offer: 'rent' })).body).toMatchObject({
      revision: { changes: { offer: 'rent', rentPeriod: 'month' } },
    })
    expect((await edit(id, { offer: 'sale' })).body).toMatchObject({ rentPeriod: null, revision: null })
  })

  it('says what its owner wanted when it is rejected while suspended', async () => {
    const id = await aListingThatIs('SUSPENDED', { media: [aMedia(), aMedia({ isPending: true })] })
    await edit(id, { title: 'A better title' })
    await moderated(id, { status: 'REJECTED', reasons: ['misleading'] })
    expect(await listingOf(id)).toMatchObject({
      status: 'REJECTED',
      title: 'A better title',
      revision: null,
      media: [{ isPending: false }, { isPending: false }],
    })
  })
})

describe('409 listing_incomplete', () => {
  it.each(['PENDING_REVIEW', 'PUBLISHED', 'SUSPENDED'] as const)(
    'keeps a listing complete that is %s',
    async (status) => {
      const id = await aListingThatIs(status)
      for (const field of ['title', 'description', 'price', 'location']) {
        expect(await edit(id, { [field]: null })).toMatchObject({
          status: 409,
          body: { code: 'listing_incomplete', errors: [{ path: field }] },
        })
      }
      expect(await edit(id, { title: null, price: null })).toMatchObject({
        body: { detail: 'It needs its title, price' },
      })
      expect((await listingOf(id))?.version).toBe(1)
    },
  )

  it.each(['DRAFT', 'REJECTED'] as const)('lets a listing lose what it likes that is %s', async (status) => {
    const id = await aListingThatIs(status)
    expect((await edit(id, { title: null, price: null })).body).toMatchObject({ title: null, price: null })
  })
})

describe('If-Match', () => {
  it('lets the version through that was seen, and any with *', async () => {
    const id = await aListingThatIs('PUBLISHED')
    expect((await edit(id, { bedrooms: 1 }, { headers: { 'if-match': '"1"' } })).status).toBe(200)
    expect((await edit(id, { bedrooms: 2 }, { headers: { 'if-match': '*' } })).status).toBe(200)
    expect(await edit(id, { bedrooms: 3 }, { headers: { 'if-match': '"1"' } })).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    })
  })

  it('left out is answered 503 and changes nothing when every attempt loses to another writer', async () => {
    const id = await aListingThatIs('PUBLISHED')
    const losing = {
      ...openListings(testTable()),
      commit: async () => {
        throw new WriteConflict()
      },
    }
    const answer = await edit(id, { bedrooms: 1 }, { deps: { listings: losing, sleep: async () => {} } })
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(answer.headers['retry-after']).toBe('1')
    expect((await listingOf(id))?.version).toBe(1)
  })

  it('If-Match lets one of ten at once through', async () => {
    const id = await aListingThatIs('PUBLISHED')
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        edit(id, { price: { amount: index + 1, currency: 'XOF' } }, { headers: { 'if-match': '"1"' } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
  })
})

it('ten changes at once without If-Match all come about', async () => {
  const id = await aListingThatIs('DRAFT')
  const fields = [{ title: 'New title' }, { bedrooms: 1 }, { bathrooms: 2 }, { areaSqm: 30 }]
  const answers = await Promise.all(fields.map((field) => edit(id, field)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await listingOf(id)).toMatchObject({
    title: 'New title',
    bedrooms: 1,
    bathrooms: 2,
    areaSqm: 30,
    version: 5,
  })
})

describe('400', () => {
  it.each([
    [{ offer: null }, 'offer'],
    [{ category: null }, 'category'],
    [{ title: 'ab' }, 'title'],
    [{ price: { amount: 0, currency: 'XOF' } }, 'price.amount'],
    [{ location: { country: 'CI' } }, 'location.city'],
    [{ bedrooms: 101 }, 'bedrooms'],
  ])('answers %o by naming %s', async (body, path) => {
    const id = await aListingThatIs('DRAFT')
    expect(await edit(id, body)).toMatchObject({ status: 400, body: { errors: [{ path }] } })
  })
})

it('an administrator moderates, and does not edit', async () => {
  const id = await aListingThatIs('PUBLISHED')
  expect((await edit(id, {}, { token: await consoleToken() })).status).toBe(403)
})
