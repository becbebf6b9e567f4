import { beforeAll, describe, expect, it } from 'vitest'
import { spec as submitListing } from '#functions/listings/submit-listing'
import { newId, type UserId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import type { ListingView } from '#lib/listings/views/listing-view'
import { call } from '#test/support/call'
import {
  anAgent,
  aProvenUser,
  aUser,
  aVerifiedAgent,
  consoleToken,
  type GivenUser,
} from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { testTable } from '#test/support/test-table'

let agent: GivenUser

beforeAll(async () => {
  agent = await anAgent()
})

const submit = (id: string, token = agent.token) => call(submitListing, { params: { id }, token })
const aDraft = (more: Partial<Listing> = {}) =>
  aListing(agent.id, {
    ...COMPLETE,
    status: 'DRAFT',
    submittedAt: null,
    publishedAt: null,
    media: [aMedia()],
    ...more,
  })

/** What is recorded of a listing's moves. */
const movesOf = async (id: string) =>
  (await testTable().query({ partition: `LISTING#${id}`, beginsWith: 'MOVE#' })).items

/** A listing without the links to its pictures, which are signed anew for every answer. */
const unsigned = ({ media, ...body }: ListingView) => ({
  ...body,
  media: media.map(({ url, ...item }) => ({ ...item, path: new URL(url ?? '').pathname })),
})

const counts = () => openListings(testTable()).counts(agent.id as UserId)

describe('200', () => {
  it.each(['DRAFT', 'REJECTED'] as const)('hands a %s listing to the moderators', async (status) => {
    const id = await aDraft({ status, reasons: ['poor_media'], message: 'Too dark' })
    const answer = await submit(id)
    expect(answer).toMatchObject({ status: 200, body: { id, status: 'PENDING_REVIEW', publishedAt: null } })
    expect(answer.headers).toMatchObject({ etag: '"2-owner"', 'cache-control': 'no-store' })
    expect(await listingOf(id)).toMatchObject({
      status: 'PENDING_REVIEW',
      version: 2,
      submittedAt: expect.any(String),
    })
    expect(await movesOf(id)).toMatchObject([{ from: status, to: 'PENDING_REVIEW', by: agent.id }])
  })

  it('a listing that waits already is answered 200 and stays as it is, however often', async () => {
    const id = await aDraft()
    const first = await submit(id)
    const again = await Promise.all(Array.from({ length: 5 }, () => submit(id)))
    for (const { status, body, headers } of again) {
      expect({ status, etag: headers['etag'], body: unsigned(body) }).toEqual({
        status: 200,
        etag: first.headers['etag'],
        body: unsigned(first.body),
      })
    }
    expect(await movesOf(id)).toHaveLength(1)
  })

  it('moves once when ten ask at once, and counts one draft less and one listing in review more', async () => {
    const id = await aDraft()
    const { commit, countMove } = openListings(testTable())
    for (const from of Array(30).fill(undefined))
      await commit([countMove(agent.id as UserId, { from, to: 'DRAFT' })])
    const before = await counts()
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(id)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await movesOf(id)).toHaveLength(1)
    expect(await counts()).toMatchObject({
      DRAFT: before.DRAFT - 1,
      PENDING_REVIEW: before.PENDING_REVIEW + 1,
    })
  })

  it.each([
    ['a picture that is being processed', [aMedia({ status: 'PROCESSING' })]],
    ['one good picture among rejected ones', [aMedia({ status: 'REJECTED' }), aMedia()]],
    ['a picture and a floor plan', [aMedia({ kind: 'document' }), aMedia()]],
  ])('takes %s', async (_what, media) => {
    expect(await submit(await aDraft({ media }))).toMatchObject({ status: 200 })
  })
})

describe('409 listing_incomplete', () => {
  it('names everything that is missing', async () => {
    const id = await aListing(agent.id, { title: null, status: 'DRAFT', media: [] })
    const { status, body } = await submit(id)
    expect({ status, body }).toEqual({
      status: 409,
      body: {
        type: 'https://api.platform.test/docs#listing_incomplete',
        title: 'The listing is not complete',
        status: 409,
        code: 'listing_incomplete',
        detail: 'Still missing: title, description, price, location, media',
        requestId: expect.any(String),
        errors: [
          { path: 'title', code: 'required', message: 'is required' },
          { path: 'description', code: 'required', message: 'is required' },
          { path: 'price', code: 'required', message: 'is required' },
          { path: 'location', code: 'required', message: 'is required' },
          { path: 'media', code: 'required', message: 'needs at least one picture' },
        ],
      },
    })
    expect(await movesOf(id)).toEqual([])
  })

  it.each([
    ['title', { title: null }],
    ['description', { description: null }],
    ['price', { price: null }],
    ['location', { location: null }],
    ['media', { media: [] }],
    ['media', { media: [aMedia({ status: 'REJECTED' })] }],
    ['media', { media: [aMedia({ kind: 'document' }), aMedia({ kind: 'video' })] }],
  ] as [string, Partial<Listing>][])('names %s of %j', async (path, more) => {
    expect(await submit(await aDraft(more))).toMatchObject({
      status: 409,
      body: { code: 'listing_incomplete', errors: [{ path }] },
    })
  })
})

describe('409 listing_transition_not_allowed', () => {
  it.each([
    ['PUBLISHED', ['SUSPENDED', 'ARCHIVED']],
    ['SUSPENDED', ['PUBLISHED', 'REJECTED', 'ARCHIVED']],
    ['ARCHIVED', []],
  ] as const)('answers a %s listing, complete or not', async (status, allowed) => {
    for (const more of [{}, { title: null, media: [] }]) {
      const id = await aDraft({ status, ...more })
      expect(await submit(id)).toMatchObject({
        status: 409,
        body: { code: 'listing_transition_not_allowed', from: status, to: 'PENDING_REVIEW', allowed },
      })
    }
  })
})

describe('whose it is', () => {
  // Attack: a status that differs would say that a draft is there, and whose state it is in.
  it('answers another’s listing as one that is not there, to the last byte', async () => {
    const { token } = await anAgent()
    const seen = async (id: string) => {
      const { status, body } = await submit(id, token)
      return { status, body: { ...body, requestId: '' } }
    }
    const nothing = await seen(newId('listing'))
    expect(nothing).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const status of ['DRAFT', 'PENDING_REVIEW', 'REJECTED', 'SUSPENDED', 'ARCHIVED'] as const) {
      expect(await seen(await aDraft({ status }))).toEqual(nothing)
    }
    // Published, but of an agent who is not verified: customers do not see it either.
    expect(await seen(await aDraft({ status: 'PUBLISHED' }))).toEqual(nothing)
  })

  it('answers 403 for another’s that everyone may see', async () => {
    const owner = await aVerifiedAgent()
    const id = await aListing(owner.id, { ...COMPLETE, media: [aMedia()] })
    expect(await submit(id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it('is the owner’s to say, not an administrator’s', async () => {
    expect(await submit(await aDraft(), await consoleToken())).toMatchObject({ status: 403 })
  })

  it('answers 404 to a user who is no agent', async () => {
    const { token } = await aProvenUser()
    expect(await submit(await aDraft(), token)).toMatchObject({ status: 404 })
  })
})

describe('403', () => {
  it('is answered while the owner’s e-mail is not verified', async () => {
    const user = await aUser()
    const params = { id: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }
    expect(await call(submitListing, { token: user.token, params })).toMatchObject({
      status: 403,
      body: { code: 'email_not_verified' },
    })
  })
})
