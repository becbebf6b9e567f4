import { beforeAll, describe, expect, it } from 'vitest'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as getHistory } from '#functions/listings/get-listing-history'
import { spec as setAvailability } from '#functions/listings/set-availability'
import { ListingStatus } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { call } from '#test/support/call'
import { eventsOf } from '#test/support/events'
import { aUser, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { aPublishedListing, found, moderated } from '#test/support/published'
import { testTable } from '#test/support/test-table'

let agent: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
})

const set = (id: string, state: unknown, more: object = {}) =>
  call(setAvailability, { params: { id }, token: agent.token, body: { state }, ...more })
const publicStatus = async (id: string) => (await call(getListing, { params: { id } })).status
const location = (city: string) => ({
  country: 'CI',
  city,
  district: null,
  address: null,
  lat: 2,
  lng: 2,
  precision: 'exact' as const,
})
const history = async (id: string) => (await call(getHistory, { params: { id }, token: agent.token })).body

describe('200', () => {
  it('takes a TAKEN or PAUSED listing out of every public answer at once, and brings it back without a moderator', async () => {
    const id = await aPublishedListing(agent.id, { location: location('Awayville') })
    for (const state of ['TAKEN', 'PAUSED']) {
      const answer = await set(id, state)
      expect(answer.body).toMatchObject({ id, status: 'PUBLISHED', availability: state })
      expect(answer.headers['etag']).toBe(`"${(await listingOf(id))?.version}-owner"`)
      expect(await publicStatus(id)).toBe(404)
      expect(await found({ city: 'Awayville' })).toEqual([])
      expect((await set(id, 'AVAILABLE')).status).toBe(200)
      expect(await publicStatus(id)).toBe(200)
      expect(await found({ city: 'Awayville' })).toEqual([id])
    }
  })

  it('keeps a listing UNDER_OFFER public', async () => {
    const id = await aPublishedListing(agent.id, { location: location('Offerville') })
    await set(id, 'UNDER_OFFER')
    expect((await call(getListing, { params: { id } })).body).toMatchObject({ availability: 'UNDER_OFFER' })
    expect(await found({ city: 'Offerville' })).toEqual([id])
  })

  it('finds a listing again once it is AVAILABLE', async () => {
    const id = await aPublishedListing(agent.id, { location: location('Returnville') })
    await set(id, 'PAUSED')
    await set(id, 'AVAILABLE')
    expect(await found({ city: 'Returnville' })).toEqual([id])
  })

  it('records the change in the history with its field, and announces it', async () => {
    const id = await aPublishedListing(agent.id)
    await set(id, 'UNDER_OFFER')
    expect((await history(id)).items.at(-1)).toEqual({
      field: 'availability',
      from: 'AVAILABLE',
      to: 'UNDER_OFFER',
      at: expect.stringMatching(/Z$/),
      by: agent.id,
      reasons: [],
      message: null,
      note: null,
    })
    expect((await history(id)).items[0]).toMatchObject({ field: 'status', to: 'PUBLISHED' })
    expect(await eventsOf(id, 'listing.availability_changed')).toMatchObject([
      { data: { agentId: agent.id, from: 'AVAILABLE', to: 'UNDER_OFFER' } },
    ])
  })

  it('records nothing for the state that the listing has, but that its owner has said so', async () => {
    const id = await aPublishedListing(agent.id)
    const { availabilityCalls } = openListings(testTable())
    const [before, moves] = [await listingOf(id), (await history(id)).items.length]
    const calls = await availabilityCalls(id)
    expect((await set(id, 'AVAILABLE')).status).toBe(200)
    expect(await listingOf(id)).toEqual(before)
    expect((await history(id)).items).toHaveLength(moves)
    expect(await availabilityCalls(id)).toBe(calls + 1)
  })

  it('keeps the availability through a suspension', async () => {
    const id = await aPublishedListing(agent.id)
    await set(id, 'UNDER_OFFER')
    await moderated(id, { status: 'SUSPENDED', reasons: ['other'] })
    await moderated(id, { status: 'PUBLISHED' })
    expect(await listingOf(id)).toMatchObject({ status: 'PUBLISHED', availability: 'UNDER_OFFER' })
  })

  it('ends in one of the states where many are set at once', async () => {
    const id = await aPublishedListing(agent.id)
    const states = ['UNDER_OFFER', 'TAKEN', 'PAUSED', 'UNDER_OFFER', 'TAKEN', 'PAUSED']
    const answers = await Promise.all(states.map((state) => set(id, state)))
    expect(answers.map(({ status }) => status)).toEqual(states.map(() => 200))
    expect(states).toContain((await listingOf(id))?.availability)
  })
})

describe('409', () => {
  it.each(ListingStatus.options.filter((status) => status !== 'PUBLISHED'))(
    'for a listing that is %s',
    async (status) => {
      const id = await aListing(agent.id, { ...COMPLETE, media: [aMedia()], status })
      const { status: code, body } = await set(id, 'TAKEN')
      expect(code).toBe(409)
      expect(body).toMatchObject({
        code: 'listing_transition_not_allowed',
        detail: expect.stringContaining(status),
        from: 'AVAILABLE',
        to: 'TAKEN',
        allowed: [],
      })
    },
  )
})

describe('412', () => {
  it('an old version is a 412', async () => {
    const id = await aPublishedListing(agent.id)
    expect((await set(id, 'TAKEN', { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await listingOf(id))?.availability).toBe('AVAILABLE')
  })
})

describe('a request that is refused', () => {
  it.each([undefined, null, 'SOLD', 'taken', 7])('is 400 for the state %s', async (state) => {
    expect((await set(await aPublishedListing(agent.id), state)).status).toBe(400)
  })

  it('is 401 without a token, 403 for another user and for administrators, 404 where nothing is seen', async () => {
    const id = await aPublishedListing(agent.id)
    const other = await aUser()
    expect((await set(id, 'TAKEN', { token: undefined })).status).toBe(401)
    expect((await set(id, 'TAKEN', { token: other.token })).status).toBe(403)
    expect((await set(id, 'TAKEN', { token: await consoleToken() })).status).toBe(403)
    const draft = await aListing(agent.id, { status: 'DRAFT' })
    expect((await set(draft, 'TAKEN', { token: other.token })).status).toBe(404)
    await call(archiveListing, { params: { id }, token: agent.token })
    expect((await set(id, 'TAKEN', { token: other.token })).status).toBe(404)
  })
})
