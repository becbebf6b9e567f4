import { beforeAll, describe, expect, it } from 'vitest'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as listOwnListings } from '#functions/listings/list-own-listings'
import { spec as listQueue } from '#functions/listings/list-queued-listings'
import type { Table } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import type { ListingView } from '#lib/listings/views/listing-view'
import { call } from '#test/support/call'
import { anAgent, aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE } from '#test/support/listings'
import { pagesOf } from '#test/support/pages'
import { moderated } from '#test/support/published'
import { testTable } from '#test/support/test-table'

type Queued = ListingView & { waitingSince: string | null }

let agent: GivenUser
let admin: string

beforeAll(async () => {
  agent = await anAgent()
  admin = await consoleToken()
})

const at = (second: number): Listing['createdAt'] => timestamp(new Date(second * 1_000))

const aListingThatIs = (status: Listing['status'], second: number, more: Partial<Listing> = {}) =>
  aListing(agent.id, {
    ...COMPLETE,
    media: [aMedia()],
    status,
    submittedAt: at(second),
    createdAt: at(second),
    ...more,
  })

/** The table where something happens once all else was read, and before some partitions are. */
function readInTwo(table: Table, later: string, between: () => Promise<unknown>): Table {
  const earlier: Promise<unknown>[] = []
  let happened: Promise<unknown> | undefined
  return {
    ...table,
    query: async (question) => {
      if (!question.partition.startsWith(later)) {
        const answer = table.query(question)
        earlier.push(answer)
        return answer
      }
      happened ??= Promise.all(earlier).then(between)
      await happened
      return table.query(question)
    },
  }
}

describe('the moderation queue', () => {
  it('holds what is in review and revisions that wait, longest waiting first, with what changed', async () => {
    const late = await aListingThatIs('PENDING_REVIEW', 30)
    const early = await aListingThatIs('PENDING_REVIEW', 10)
    const revised = await aListingThatIs('PUBLISHED', 1, {
      revision: { changes: { title: 'New title' }, submittedAt: at(20) },
    })
    await aListingThatIs('PUBLISHED', 2)
    await aListingThatIs('DRAFT', 3)
    for (const limit of ['1', '2', '100']) {
      const items = (await pagesOf<Queued>(listQueue, admin, { limit })).flat()
      expect(items.map(({ id, waitingSince }) => [id, waitingSince])).toEqual([
        [early, at(10)],
        [revised, at(20)],
        [late, at(30)],
      ])
      expect(items[1]).toMatchObject({
        status: 'PUBLISHED',
        revision: { changes: { title: 'New title' } },
        agent: { userId: agent.id, displayName: 'Awa Immobilier' },
        note: null,
      })
    }
    await moderated(early, { status: 'REJECTED', reasons: ['other'] })
    await moderated(revised, { status: 'REJECTED', reasons: ['other'] })
    expect((await pagesOf<Queued>(listQueue, admin)).flat().map(({ id }) => id)).toEqual([late])
    await call(editListing, { params: { id: revised }, token: agent.token, body: { bedrooms: 1 } })
    expect((await pagesOf<Queued>(listQueue, admin)).flat().map(({ id }) => id)).toEqual([late, revised])
  })

  it('says of a revision which media were added and which captions are new', async () => {
    const [added, renamed] = [aMedia({ isPending: true }), aMedia({ pendingCaption: 'From the water' })]
    const id = await aListingThatIs('PUBLISHED', 1, {
      media: [renamed, added],
      revision: { changes: {}, submittedAt: at(1) },
    })
    const queued = (await pagesOf<Queued>(listQueue, admin)).flat().find((item) => item.id === id)
    expect(queued?.revision).toEqual({
      changes: { media: [added.id], captions: { [renamed.id]: 'From the water' } },
      submittedAt: at(1),
    })
    await moderated(id, { status: 'REJECTED', reasons: ['other'] })
  })

  it('lists any other status too, with its revisions', async () => {
    const suspended = await aListingThatIs('SUSPENDED', 5)
    const revised = await aListingThatIs('SUSPENDED', 6, {
      revision: { changes: { bedrooms: 2 }, submittedAt: at(7) },
    })
    const items = (await pagesOf<Queued>(listQueue, admin, { status: 'SUSPENDED', limit: '1' })).flat()
    expect(items.map(({ id, waitingSince }) => [id, waitingSince])).toEqual([
      [suspended, null],
      [revised, at(7)],
    ])
  })

  it.each([
    ['PUBLISHED', 'a moment ago', new Date()],
    ['SUSPENDED', 'a moment ago', new Date()],
    ['PUBLISHED', 'since it was made', new Date(1_000)],
  ] as const)(
    'holds a %s listing once whose owner edits it while the lists are read, waiting %s',
    async (status, _since, now) => {
      const id = await aListingThatIs(status, 1)
      const edit = () =>
        call(editListing, {
          params: { id },
          token: agent.token,
          body: { title: 'Another title' },
          deps: { now: () => now },
        })
      const listings = openListings(readInTwo(testTable(), 'LISTINGS#REVISION', edit))
      const answer = await call(listQueue, {
        token: admin,
        query: { status, limit: '100' },
        deps: { listings },
      })
      expect(answer.status).toBe(200)
      const { items } = answer.body
      expect(items.filter((item) => item.id === id)).toMatchObject([
        { waitingSince: timestamp(now), revision: { changes: { title: 'Another title' } } },
      ])
      await call(archiveListing, { params: { id }, token: agent.token })
    },
  )

  it('keeps its cursors to their status', async () => {
    const { body } = await call(listQueue, { token: admin, query: { limit: '1' } })
    const nextCursor = body.nextCursor ?? ''
    expect(
      await call(listQueue, { token: admin, query: { cursor: nextCursor, status: 'DRAFT' } }),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    })
    expect((await call(listQueue, { token: admin, query: { cursor: nextCursor, limit: '7' } })).status).toBe(
      200,
    )
  })

  it('is for administrators, who say which status', async () => {
    expect((await call(listQueue)).status).toBe(401)
    expect((await call(listQueue, { token: agent.token })).status).toBe(403)
    expect((await call(listQueue, { token: admin, query: { status: 'LOST' } })).status).toBe(400)
  })
})

describe('one’s own listings', () => {
  it('are all there in any status, newest first, as their owner sees them', async () => {
    const owner = await anAgent()
    const ids: string[] = []
    for (const status of ['DRAFT', 'PUBLISHED', 'ARCHIVED', 'PUBLISHED'] as const) {
      ids.unshift(
        await aListing(owner.id, { ...COMPLETE, status, message: 'Between us', note: 'Not for owners' }),
      )
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    for (const limit of ['1', '3', '20']) {
      const items = (await pagesOf<ListingView>(listOwnListings, owner.token, { limit })).flat()
      expect(items.map(({ id }) => id)).toEqual(ids)
      expect(items[0]).toMatchObject({ message: 'Between us', revision: null })
      expect(items[0]).not.toHaveProperty('note')
      const published = await pagesOf<ListingView>(listOwnListings, owner.token, {
        limit,
        status: 'PUBLISHED',
      })
      expect(published.flat().map(({ id }) => id)).toEqual([ids[0], ids[2]])
    }
  })

  it('are one’s own: a cursor of another agent is none', async () => {
    const [one, other] = await Promise.all([anAgent(), anAgent()])
    await aListing(one.id)
    await aListing(one.id)
    const { body } = await call(listOwnListings, { token: one.token, query: { limit: '1' } })
    const nextCursor = body.nextCursor ?? ''
    expect((await call(listOwnListings, { token: other.token, query: { cursor: nextCursor } })).status).toBe(
      400,
    )
  })

  it('are for agents', async () => {
    const user = await aUser()
    expect((await call(listOwnListings)).status).toBe(401)
    expect(await call(listOwnListings, { token: user.token })).toMatchObject({
      status: 403,
      body: { code: 'agent_profile_required' },
    })
  })
})
