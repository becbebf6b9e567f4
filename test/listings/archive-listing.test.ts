import { beforeAll, describe, expect, it } from 'vitest'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as getHistory } from '#functions/listings/get-listing-history'
import { spec as submitListing } from '#functions/listings/submit-listing'
import { timestamp } from '#lib/kernel/clock'
import { EventId, type UserId } from '#lib/kernel/id'
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

const archive = (id: string, more: Call = {}) =>
  call(archiveListing, { params: { id }, token: agent.token, ...more })

const drafts = async () => (await openListings(testTable()).counts(agent.id as UserId)).DRAFT

describe('204', () => {
  it('is seen by its owner and administrators only from then on', async () => {
    const id = await aListing(agent.id, COMPLETE)
    expect(await archive(id)).toMatchObject({ status: 204, text: '' })
    expect((await call(getListing, { params: { id } })).status).toBe(404)
    for (const token of [agent.token, await consoleToken()]) {
      expect((await call(getListing, { params: { id }, token })).body).toMatchObject({ status: 'ARCHIVED' })
    }
  })

  it('is 204 again, whatever version was seen, and moves once', async () => {
    const id = await aListing(agent.id, COMPLETE)
    const answers = await Promise.all(Array.from({ length: 5 }, () => archive(id)))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204])
    expect((await archive(id, { headers: { 'if-match': '"1"' } })).status).toBe(204)
    const history = await call(getHistory, { params: { id }, token: agent.token })
    expect(history.body.items).toHaveLength(1)
  })

  it('makes room for another draft', async () => {
    const before = await drafts()
    const { body } = await call(createListing, {
      token: agent.token,
      body: { offer: 'sale', category: 'land' },
    })
    expect(await drafts()).toBe((before ?? 0) + 1)
    await archive(body.id)
    expect(await drafts()).toBe(before)
  })

  it('takes what waited out of the queue', async () => {
    const revision = {
      changes: { bedrooms: 1 },
      submittedAt: COMPLETE.createdAt ?? timestamp(new Date('2026-01-01T00:00:00.000Z')),
    }
    const id = await aListing(agent.id, { ...COMPLETE, revision })
    await archive(id)
    expect(await listingOf(id)).toMatchObject({ status: 'ARCHIVED', revision: null })
  })
})

it('answers 412 for a version that is not there any more', async () => {
  const id = await aListing(agent.id, { ...COMPLETE, version: 4 })
  expect(await archive(id, { headers: { 'if-match': '"3"' } })).toMatchObject({ status: 412 })
  expect((await archive(id, { headers: { 'if-match': '"4"' } })).status).toBe(204)
})

describe('the history', () => {
  it('is whole, however much was said', async () => {
    const id = await aListing(agent.id, COMPLETE)
    const { recordMove, commit } = openListings(testTable())
    const said = { reasons: [], message: '🏠'.repeat(1_000), note: '🏠'.repeat(1_000) }
    const moves = Array.from({ length: 150 }, (_, place) => ({
      ...said,
      id: EventId.parse(`evt_01KAH3M6XQ8ZJ4T2V7W9C5${1_000 + place}`),
      field: 'status' as const,
      from: 'PUBLISHED' as const,
      to: 'SUSPENDED' as const,
      at: timestamp(new Date(place)),
      by: 'admin',
    }))
    for (const move of moves) await commit([recordMove(id, move)])
    const { body } = await call(getHistory, { params: { id }, token: agent.token })
    const { items } = body
    expect(items.map(({ at }) => at)).toEqual(moves.map(({ at }) => at))
  })

  it('tells the owner what was decided and why, but neither by whom nor the notes', async () => {
    const id = await aListing(agent.id, {
      ...COMPLETE,
      media: [aMedia()],
      status: 'REJECTED',
      publishedAt: null,
    })
    await call(submitListing, { params: { id }, token: agent.token })
    await moderated(id, {
      status: 'REJECTED',
      reasons: ['poor_media'],
      message: 'Too dark',
      note: 'Third time',
    })
    await archive(id)
    const [owner, administrator] = await Promise.all(
      [agent.token, await consoleToken()].map((token) => call(getHistory, { params: { id }, token })),
    )
    const moves = [
      { from: 'REJECTED', to: 'PENDING_REVIEW', by: agent.id, reasons: [], message: null, note: null },
      {
        from: 'PENDING_REVIEW',
        to: 'REJECTED',
        by: 'admin',
        reasons: ['poor_media'],
        message: 'Too dark',
        note: 'Third time',
      },
      { from: 'REJECTED', to: 'ARCHIVED', by: agent.id, reasons: [], message: null, note: null },
    ].map((move) => ({ ...move, field: 'status', at: expect.stringMatching(/Z$/) }))
    expect(administrator?.body).toEqual({ items: moves })
    expect(owner?.body).toEqual({
      items: moves.map((move) => ({
        ...move,
        by: move.by === 'admin' ? 'administrator' : move.by,
        note: null,
      })),
    })
    expect(owner?.text).not.toContain('Third time')
  })
})
