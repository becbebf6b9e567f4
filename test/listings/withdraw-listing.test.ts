import { beforeAll, describe, expect, it } from 'vitest'
import { spec as countOwnListings } from '#functions/listings/count-own-listings'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as getHistory } from '#functions/listings/get-listing-history'
import { spec as submitListing } from '#functions/listings/submit-listing'
import { spec as withdrawListing } from '#functions/listings/withdraw-listing'
import { spec as withdrawRevision } from '#functions/listings/withdraw-revision'
import type { UserId } from '#lib/kernel/id'
import { ListingStatus } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { call } from '#test/support/call'
import { eventsOf } from '#test/support/events'
import { aUser, aVerifiedAgent, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { aPublishedListing, moderated } from '#test/support/published'
import { testTable } from '#test/support/test-table'

let agent: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
})

const withdraw = (id: string, more: object = {}) =>
  call(withdrawListing, { params: { id }, token: agent.token, ...more })
const withdrawChanges = (id: string, more: object = {}) =>
  call(withdrawRevision, { params: { id }, token: agent.token, ...more })
const edit = (id: string, body: object) => call(editListing, { params: { id }, token: agent.token, body })
const inReview = () => aListing(agent.id, { ...COMPLETE, media: [aMedia()], status: 'PENDING_REVIEW' })

describe('a listing withdrawn from review', () => {
  it('is a draft again, with an entry in its history, and can be submitted again', async () => {
    const id = await inReview()
    const { status, body, headers } = await withdraw(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: 'DRAFT' })
    expect(headers['etag']).toBe('"2-owner"')
    const history = await call(getHistory, { params: { id }, token: agent.token })
    expect(history.body.items.at(-1)).toMatchObject({
      field: 'status',
      from: 'PENDING_REVIEW',
      to: 'DRAFT',
      by: agent.id,
    })
    expect((await call(submitListing, { params: { id }, token: agent.token })).status).toBe(200)
  })

  it('stays as it is when it is a draft already', async () => {
    const id = await aListing(agent.id, { status: 'DRAFT' })
    expect((await withdraw(id)).body).toMatchObject({ status: 'DRAFT' })
    expect((await listingOf(id))?.version).toBe(1)
  })

  it.each(ListingStatus.options.filter((status) => !['DRAFT', 'PENDING_REVIEW'].includes(status)))(
    'is refused where it is %s',
    async (status) => {
      const id = await aListing(agent.id, { ...COMPLETE, status })
      expect((await withdraw(id)).body).toMatchObject({
        code: 'listing_transition_not_allowed',
        from: status,
        to: 'DRAFT',
        allowed: expect.any(Array),
      })
    },
  )

  it('is decided or withdrawn, never both', async () => {
    const id = await inReview()
    const [taken, decided] = await Promise.all([
      withdraw(id),
      moderated(id, { status: 'PUBLISHED' }).then(
        () => true,
        () => false,
      ),
    ])
    expect([taken.status === 200, decided].filter(Boolean)).toHaveLength(1)
    expect((await listingOf(id))?.status).toBe(decided ? 'PUBLISHED' : 'DRAFT')
  })

  it('honours If-Match, and is its owner’s to withdraw', async () => {
    const id = await inReview()
    expect((await withdraw(id, { headers: { 'if-match': '"7"' } })).status).toBe(412)
    expect((await withdraw(id, { token: (await aUser()).token })).status).toBe(404)
    expect((await withdraw(id, { token: undefined })).status).toBe(401)
    expect((await listingOf(id))?.status).toBe('PENDING_REVIEW')
  })
})

describe('a revision withdrawn by its owner', () => {
  it('takes changed fields, added media and new captions back, and leaves the listing as customers see it', async () => {
    const shown = aMedia({ caption: 'Front' })
    const id = await aPublishedListing(agent.id, { media: [shown] })
    await edit(id, { title: 'House by the river' })
    const stored = await listingOf(id)
    const listings = openListings(testTable())
    if (!stored) throw new Error('gone')
    const pending = { ...stored, version: stored.version + 1 }
    pending.media = [{ ...shown, pendingCaption: 'Back' }, aMedia({ isPending: true })]
    await listings.commit(listings.replace(stored, pending))
    expect((await withdrawChanges(id)).status).toBe(204)
    const after = await listingOf(id)
    expect(after).toMatchObject({ revision: null, title: stored.title, status: 'PUBLISHED' })
    expect(after?.media).toEqual([shown])
    expect(after?.version).toBe(pending.version + 1)
  })

  it('is 204 again, and changes nothing, where none is pending', async () => {
    const id = await aPublishedListing(agent.id)
    const before = await listingOf(id)
    expect((await withdrawChanges(id)).status).toBe(204)
    expect((await withdrawChanges(await aListing(agent.id, { status: 'DRAFT' }))).status).toBe(204)
    expect(await listingOf(id)).toEqual(before)
  })

  it('honours If-Match, and is its owner’s to withdraw', async () => {
    const id = await aPublishedListing(agent.id)
    await edit(id, { title: 'House by the river' })
    expect((await withdrawChanges(id, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await withdrawChanges(id, { token: (await aUser()).token })).status).toBe(403)
    expect((await listingOf(id))?.revision).not.toBeNull()
  })
})

describe('the counts of an agent', () => {
  const counts = async (token: string) => (await call(countOwnListings, { token })).body.counts

  it('name every status, and follow each move', async () => {
    const owner = await aVerifiedAgent()
    const none = { DRAFT: 0, PENDING_REVIEW: 0, PUBLISHED: 0, REJECTED: 0, SUSPENDED: 0, ARCHIVED: 0 }
    expect(await counts(owner.token)).toEqual(none)
    const { body } = await call(createListing, {
      token: owner.token,
      body: { offer: 'sale', category: 'land' },
    })
    const { id } = body
    expect(await counts(owner.token)).toEqual({ ...none, DRAFT: 1 })
    const listings = openListings(testTable())
    const stored = await listingOf(id)
    if (!stored) throw new Error('gone')
    const complete = { ...stored, ...COMPLETE, media: [aMedia()], version: stored.version + 1 }
    await listings.commit(listings.replace(stored, complete))
    await call(submitListing, { params: { id }, token: owner.token })
    expect(await counts(owner.token)).toEqual({ ...none, PENDING_REVIEW: 1 })
    await moderated(id, { status: 'PUBLISHED' })
    expect(await counts(owner.token)).toEqual({ ...none, PUBLISHED: 1 })
  })

  it('refuse a 101st draft and a 21st listing in review, of many at once too', async () => {
    const owner = await aVerifiedAgent()
    const { commit, countMove } = openListings(testTable())
    const agentId = owner.id as UserId
    for (let count = 0; count < 97; count += 1)
      await commit([countMove(agentId, { from: undefined, to: 'DRAFT' })])
    const create = () =>
      call(createListing, { token: owner.token, body: { offer: 'sale', category: 'land' } })
    const created = await Promise.all(Array.from({ length: 6 }, create))
    expect(created.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409])
    expect(created.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'draft_limit_reached' })

    for (let count = 0; count < 18; count += 1)
      await commit([countMove(agentId, { from: undefined, to: 'PENDING_REVIEW' })])
    const drafts = await Promise.all(
      Array.from({ length: 4 }, () =>
        aListing(owner.id, { ...COMPLETE, media: [aMedia()], status: 'DRAFT', publishedAt: null }),
      ),
    )
    const submitted = await Promise.all(
      drafts.map((id) => call(submitListing, { params: { id }, token: owner.token })),
    )
    expect(submitted.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
    expect(submitted.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'review_limit_reached',
    })
  })
})

describe('the price history', () => {
  const price = (amount: number) => ({ amount, currency: 'XOF' as const })

  it('begins with the first publication, and has today’s price last, at most 20', async () => {
    const id = await aPublishedListing(agent.id, { price: price(100) })
    const history = async () => (await listingOf(id))?.priceHistory.map((point) => point.price.amount)
    expect(await history()).toEqual([100])
    await edit(id, { price: price(200) })
    await edit(id, { price: price(200), title: 'House by the river' })
    expect(await history()).toEqual([100, 200])
    for (let count = 3; count < 25; count += 1) await edit(id, { price: price(count * 100) })
    expect(await history()).toHaveLength(20)
    expect((await history())?.at(-1)).toBe(2400)
    expect((await eventsOf(id, 'listing.price_changed'))[0]).toMatchObject({
      data: { agentId: agent.id, from: price(100), to: price(200) },
    })
  })

  it('goes on while a listing that was published is rejected', async () => {
    const id = await aPublishedListing(agent.id, { price: price(100) })
    await moderated(id, { status: 'SUSPENDED', reasons: ['wrong_price'] })
    await moderated(id, { status: 'REJECTED', reasons: ['wrong_price'] })
    await edit(id, { price: price(200) })
    expect((await listingOf(id))?.priceHistory.map((point) => point.price.amount)).toEqual([100, 200])
    await edit(id, { price: null })
    expect((await listingOf(id))?.priceHistory).toHaveLength(2)
  })

  it('does not show the prices of a draft', async () => {
    const id = await aListing(agent.id, { ...COMPLETE, status: 'DRAFT', publishedAt: null })
    await edit(id, { price: price(900) })
    expect((await listingOf(id))?.priceHistory).toEqual([])
    expect(await eventsOf(id, 'listing.price_changed')).toEqual([])
    expect(await eventsOf(id, 'listing.updated')).toHaveLength(1)
  })
})

describe('the events of a revision', () => {
  it('tell that it waits and each change of it, and how it was decided', async () => {
    const id = await aPublishedListing(agent.id)
    await edit(id, { title: 'House by the river' })
    await edit(id, { title: 'House by the lake' })
    await edit(id, { title: 'House by the lake' })
    expect(await eventsOf(id, 'revision.submitted')).toHaveLength(2)
    expect(await eventsOf(id, 'listing.updated')).toEqual([])
    await moderated(id, { status: 'PUBLISHED' })
    expect(await eventsOf(id, 'revision.decided')).toMatchObject([{ data: { outcome: 'PUBLISHED' } }])
    expect(await eventsOf(id, 'listing.updated')).toHaveLength(1)
    await edit(id, { title: 'House by the sea' })
    await moderated(id, { status: 'REJECTED', reasons: ['other'] })
    const outcomes = (await eventsOf(id, 'revision.decided')).map(({ data }) => data)
    expect(outcomes).toMatchObject([{ outcome: 'PUBLISHED' }, { outcome: 'REJECTED' }])
    expect(await eventsOf(id, 'listing.updated')).toHaveLength(1)
  })
})
