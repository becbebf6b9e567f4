import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import type { ListingId, UserId } from '#lib/kernel/id'
import { AMOUNT_LIMIT } from '#lib/kernel/money'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { type Answer, type Call, call, problemOf } from '#test/support/call'
import { anAgent, aUser, type GivenUser, PASSWORD } from '#test/support/given'
import { listingOf } from '#test/support/listings'
import { overtaken } from '#test/support/overtaken'
import { testTable } from '#test/support/test-table'

const minimal = { offer: 'sale', category: 'house' }

const complete = {
  offer: 'rent',
  category: 'apartment',
  title: 'Two rooms by the lagoon',
  description: 'Bright, quiet and close to the market.',
  price: { amount: 150_000, currency: 'XOF' },
  rentPeriod: 'week',
  location: {
    country: 'CI',
    city: 'Abidjan',
    district: 'Cocody',
    address: 'Rue 12',
    lat: 5.348,
    lng: -4.003,
  },
  bedrooms: 2,
  bathrooms: 1,
  areaSqm: 64.5,
  features: ['balcony', 'lift'],
}

let agent: GivenUser

beforeAll(async () => {
  agent = await anAgent()
})

const create = (body: unknown, more: Call = {}) => call(createListing, { token: agent.token, body, ...more })

const idOf = ({ body }: Answer<{ id: string }>): string => body.id

/** How many drafts an agent is counted to have. */
const draftsOf = async ({ id }: GivenUser) => (await openListings(testTable()).counts(id as UserId)).DRAFT

describe('201', () => {
  it('answers the draft with its version, seen by its agent and nobody else', async () => {
    const answer = await create(complete)
    const { status, body, headers } = answer
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...complete,
        view: 'owner',
        location: { ...complete.location, precision: 'exact' },
        distanceKm: null,
        id: expect.stringMatching(/^lst_[0-9A-Z]{26}$/),
        status: 'DRAFT',
        availability: 'AVAILABLE',
        agent: { userId: agent.id, displayName: 'Awa Immobilier', agency: 'Awa & Co' },
        media: [],
        priceHistory: [],
        publishedAt: null,
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        reference: null,
        reasons: [],
        message: null,
        revision: null,
      },
    })
    expect(headers).toMatchObject({ etag: '"1-owner"', 'cache-control': 'no-store' })
    const params = { id: idOf(answer) }
    expect(await call(getListing, { params, token: agent.token })).toMatchObject({ status: 200, body })
    expect(await call(getListing, { params })).toMatchObject({ status: 404 })
  })

  it('needs only what is offered: all else is null', async () => {
    expect((await create(minimal)).body).toMatchObject({
      title: null,
      description: null,
      price: null,
      rentPeriod: null,
      location: null,
      bedrooms: null,
      bathrooms: null,
      areaSqm: null,
      features: [],
    })
  })

  it('takes null for whatever may be left out', async () => {
    const nothing = Object.fromEntries(Object.keys(complete).map((field) => [field, null]))
    expect(await create({ ...nothing, ...minimal })).toMatchObject({
      status: 201,
      body: { price: null, features: [] },
    })
  })

  it('rents by the month unless told otherwise, and sells for good', async () => {
    expect((await create({ ...minimal, offer: 'rent' })).body).toMatchObject({ rentPeriod: 'month' })
    expect((await create({ ...minimal, rentPeriod: 'day' })).body).toMatchObject({ rentPeriod: null })
  })

  // Attack: a field that the service sets itself, sent along in the hope that it is stored with the rest.
  it('takes nothing from the caller that is not theirs to say', async () => {
    const forged = {
      id: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      status: 'PUBLISHED',
      agentId: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      agent: { userId: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' },
      media: [{ id: 'med_1', status: 'READY' }],
      version: 99,
      publishedAt: '2020-01-01T00:00:00.000Z',
      createdAt: '2020-01-01T00:00:00.000Z',
      reasons: ['other'],
      note: 'mine',
      revision: { changes: {} },
      pk: 'USER#1',
      sk: 'ACCOUNT',
      gsi1pk: 'AGENT#1',
      kind: 'account',
      expiresAtSeconds: 1,
      colour: 'blue',
    }
    const location = { country: 'CI', city: 'A', pk: 'x', zip: '1' }
    const answer = await create({ ...minimal, ...forged, location })
    expect(answer).toMatchObject({
      status: 201,
      body: { status: 'DRAFT', media: [], publishedAt: null, reasons: [] },
    })
    const stored = JSON.stringify(await listingOf(idOf(answer) as ListingId))
    expect(stored).toContain(agent.id)
    for (const trace of [
      '01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      '2020-01-01',
      'blue',
      'USER#1',
      'AGENT#1',
      'zip',
      'mine',
    ]) {
      expect(stored).not.toContain(trace)
    }
  })

  it.each([
    ['a title of three houses', { title: '🏠🏠🏠' }],
    ['a title of 120 characters beyond the basic plane', { title: '𝒳'.repeat(120) }],
    ['a description of twenty', { description: 'é'.repeat(20) }],
    ['a description of five thousand', { description: '語'.repeat(5_000) }],
    ['lines and tabs', { description: 'First line\n\tsecond line\r\nthird line' }],
    ['no room', { bedrooms: 0, bathrooms: 0 }],
    ['a hundred rooms', { bedrooms: 100, bathrooms: 100 }],
    ['a square metre', { areaSqm: 1 }],
    ['a hundred square kilometres', { areaSqm: 100_000_000 }],
    ['the smallest price', { price: { amount: 1, currency: 'JPY' } }],
    ['the largest price', { price: { amount: AMOUNT_LIMIT, currency: 'KWD' } }],
    ['the pole', { location: { country: 'AQ', city: 'Pole', lat: -90, lng: 180 } }],
    ['where the meridian meets the equator', { location: { country: 'GH', city: 'Tema', lat: 0, lng: 0 } }],
    [
      'as exact as numbers are',
      { location: { country: 'CI', city: 'A', lat: 5.123456789012345, lng: -4.1 } },
    ],
    ['fifty features', { features: Array.from({ length: 50 }, (_, index) => `feature ${index}`) }],
    ['a text in Arabic', { title: 'شقة على البحر' }],
  ])('takes %s', async (_what, fields) => {
    expect(await create({ ...minimal, ...fields })).toMatchObject({ status: 201, body: fields })
  })

  it('takes a coordinate that is nearer to nought than the table can tell as nought', async () => {
    const location = { country: 'GH', city: 'Tema', lat: 1e-200, lng: -1e-300 }
    expect(await create({ ...minimal, location })).toMatchObject({
      status: 201,
      body: { location: { lat: 0, lng: 0 } },
    })
  })

  it('keeps a feature that is named twice once', async () => {
    expect((await create({ ...minimal, features: ['pool', ' pool ', 'Pool'] })).body).toMatchObject({
      features: ['pool', 'Pool'],
    })
  })
})

describe('400', () => {
  it.each([
    [{ offer: 'lease' }],
    [{ offer: undefined }],
    [{ category: 'castle' }],
    [{ category: null }],
    [{ title: 'ab' }],
    [{ title: '🏠🏠' }],
    [{ title: '  a  ' }],
    [{ title: 'x'.repeat(121) }],
    [{ title: 'half a \ud83c house' }],
    [{ title: 'bell\u0007' }],
    [{ title: ['abc'] }],
    [{ description: 'too short' }],
    [{ description: '🏠'.repeat(19) }],
    [{ description: 'x'.repeat(5_001) }],
    [{ description: `${'x'.repeat(30)}\u0000` }],
    [{ price: 150_000 }],
    [{ price: { amount: 0, currency: 'XOF' } }],
    [{ price: { amount: -1, currency: 'XOF' } }],
    [{ price: { amount: 1.5, currency: 'USD' } }],
    [{ price: { amount: '100', currency: 'USD' } }],
    [{ price: { amount: AMOUNT_LIMIT + 1, currency: 'USD' } }],
    [{ price: { amount: 1e300, currency: 'USD' } }],
    [{ price: { amount: 100, currency: 'usd' } }],
    [{ price: { amount: 100, currency: 'XXX' } }],
    [{ price: { amount: 100 } }],
    [{ price: { currency: 'USD' } }],
    [{ rentPeriod: 'fortnight' }],
    [{ location: {} }],
    [{ location: { country: 'CI' } }],
    [{ location: { city: 'Abidjan' } }],
    [{ location: { country: 'ci', city: 'Abidjan' } }],
    [{ location: { country: 'CIV', city: 'Abidjan' } }],
    [{ location: { country: 'UK', city: 'London' } }],
    [{ location: { country: 'CI', city: '' } }],
    [{ location: { country: 'CI', city: 'A', lat: 5 } }],
    [{ location: { country: 'CI', city: 'A', lng: 5 } }],
    [{ location: { country: 'CI', city: 'A', lat: 90.1, lng: 0 } }],
    [{ location: { country: 'CI', city: 'A', lat: 0, lng: -180.1 } }],
    [{ location: { country: 'CI', city: 'A', lat: '5', lng: '4' } }],
    [{ location: { country: 'CI', city: 'A', lat: null, lng: 4 } }],
    [{ location: [] }],
    [{ bedrooms: -1 }],
    [{ bedrooms: 101 }],
    [{ bedrooms: 2.5 }],
    [{ bedrooms: '2' }],
    [{ bathrooms: 1e10 }],
    [{ areaSqm: 0 }],
    [{ areaSqm: 0.5 }],
    [{ areaSqm: 100_000_001 }],
    [{ features: 'pool' }],
    [{ features: [''] }],
    [{ features: ['x'.repeat(41)] }],
    [{ features: [null] }],
    [{ features: Array(51).fill('x') }],
  ])('refuses %j, and keeps nothing', async (fields) => {
    const before = await draftsOf(agent)
    const answer = await create({ ...minimal, ...fields })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    const [field = ''] = Object.keys(fields)
    const { errors } = problemOf(answer, 'validation_failed')
    expect(errors[0]?.path.split(/[.[]/)[0]).toBe(field)
    const said = errors.map((error) => JSON.stringify(error))
    expect(said).toEqual([...new Set(said)])
    expect(await draftsOf(agent)).toBe(before)
  })
})

describe('403', () => {
  it('answers a user without an agent profile, before anything of the body is looked at', async () => {
    const { token } = await aUser()
    expect(await create({ offer: 7 }, { token })).toMatchObject({
      status: 403,
      body: { code: 'agent_profile_required' },
    })
  })
})

describe('Idempotency-Key', () => {
  const withKey = (key: string, more: Call = {}): Call => ({ headers: { 'idempotency-key': key }, ...more })

  it('answers twenty at once with one listing', async () => {
    const before = Number(await draftsOf(agent))
    const twenty = Array.from({ length: 20 }, () => create(complete, withKey('twenty')))
    const answers = await Promise.all(twenty)
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers['etag']))).toEqual(new Set(['"1-owner"']))
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19)
    expect(await draftsOf(agent)).toBe(before + 1)
  })

  it('answers the first success again, as it was then, with a request id of its own', async () => {
    const first = await create(complete, withKey('again'))
    const again = await create(complete, withKey('again'))
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text })
    expect(again.headers).toMatchObject({ etag: first.headers['etag'], 'idempotent-replayed': 'true' })
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(first.headers['idempotent-replayed']).toBeUndefined()
  })

  it('knows the same request whatever the order of its fields, its spaces and what is ignored', async () => {
    const first = await create(complete, withKey('order'))
    const reversed = Object.fromEntries(Object.entries(complete).reverse())
    const again = await create(
      { ...reversed, title: `  ${complete.title} `, colour: 'blue' },
      withKey('order'),
    )
    expect(idOf(again)).toBe(idOf(first))
  })

  it.each([
    ['another title', { title: 'Another title' }],
    ['a field less', { bedrooms: undefined }],
    ['another order of a list', { features: ['lift', 'balcony'] }],
    ['another price', { price: { amount: 150_001, currency: 'XOF' } }],
  ])('refuses the same key with %s', async (what, change) => {
    const key = what.replaceAll(' ', '-')
    await create(complete, withKey(key))
    const answer = await create({ ...complete, ...change }, withKey(key))
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
  })

  it('is each caller’s own', async () => {
    const other = await anAgent()
    const mine = await create(complete, withKey('own'))
    const theirs = await create(complete, withKey('own', { token: other.token }))
    expect(theirs.status).toBe(201)
    expect(idOf(theirs)).not.toBe(idOf(mine))
    expect(theirs.headers['idempotent-replayed']).toBeUndefined()
  })

  it('is free again after a refusal: the corrected request is carried out', async () => {
    expect(await create({ ...complete, title: 'ab' }, withKey('corrected'))).toMatchObject({ status: 400 })
    const { status, headers } = await create(complete, withKey('corrected'))
    expect({ status, replayed: headers['idempotent-replayed'] }).toEqual({ status: 201, replayed: undefined })
  })

  it('is free again after a day', async () => {
    const first = await create(complete, withKey('day'))
    // The token lives for minutes: whoever comes back a day later has another one of the same session.
    const tokens = async () => ({ kind: 'user', userId: agent.id, sessionId: decodeJwt(agent.token)['sid'] })
    const hoursLater = (hours: number) =>
      create(
        complete,
        withKey('day', { deps: { tokens, now: () => new Date(Date.now() + hours * 3_600_000) } }),
      )
    expect(idOf(await hoursLater(23))).toBe(idOf(first))
    const later = await hoursLater(25)
    expect(later.status).toBe(201)
    expect(idOf(later)).not.toBe(idOf(first))
  })

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['with an accent', 'clé'],
    ['with a line break', 'a\nb'],
    ['of 256 characters', 'x'.repeat(256)],
    ['an emoji', '🔑'],
  ])('is refused when it is %s', async (_what, key) => {
    expect(await create(complete, withKey(key))).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: 'Idempotency-Key' }] },
    })
  })

  it.each([['x'], ['x'.repeat(255)], ['!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'], ['IDEMPOTENCY#1']])(
    'may be %s',
    async (key) => {
      expect(await create(minimal, withKey(key))).toMatchObject({ status: 201 })
    },
  )
})

describe('409', () => {
  it('answers the hundred and first draft, counted even when many come at once', async () => {
    const busy = await anAgent()
    const draft = () => create(minimal, { token: busy.token })
    for (let batch = 0; batch < 9; batch += 1) await Promise.all(Array.from({ length: 10 }, draft))
    expect(await draftsOf(busy)).toBe(90)
    const last = await Promise.all(Array.from({ length: 15 }, draft))
    expect(last.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(5).fill(409)])
    expect(last.find(({ status }) => status === 409)).toMatchObject({
      body: { code: 'draft_limit_reached', detail: 'An agent may have 100 drafts' },
    })
    expect(await draftsOf(busy)).toBe(100)
  })
})

it.each([
  ['a long word of characters of two units', `a${'𐐨'.repeat(60)}`],
  ['long words that begin alike', `${'㍿'.repeat(30)}a ${'㍿'.repeat(30)}b`],
])('a title of %s is taken', async (_what, title) => {
  const answer = await create({ ...minimal, title })
  expect(answer).toMatchObject({ status: 201, body: { title } })
})

it('is refused, and leaves no draft, once the agent’s account has ended meanwhile', async () => {
  const leaving = await anAgent()
  const listings = openListings(testTable())
  const ends = async () => {
    const ended = await call(deleteAccount, { token: leaving.token, body: { password: PASSWORD } })
    expect(ended).toMatchObject({ status: 204 })
  }
  const deps = { listings: overtaken(listings, 'commit', ends) }
  expect(await create(minimal, { token: leaving.token, deps })).toMatchObject({ status: 401 })
  expect(await draftsOf(leaving)).toBe(0)
})
