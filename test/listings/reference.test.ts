import { beforeEach, describe, expect, it } from 'vitest'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as listOwnListings } from '#functions/listings/list-own-listings'
import { spec as searchListings } from '#functions/listings/search-listings'
import type { Listing } from '#lib/listings/listing'
import { call } from '#test/support/call'
import { anAgent, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { LIMITS } from '#test/support/limits'
import { aListing, aMedia, COMPLETE } from '#test/support/listings'
import { moderated } from '#test/support/published'

let agent: GivenUser

beforeEach(async () => {
  agent = await anAgent()
})

const minimal = { offer: 'sale', category: 'house' }
const create = async (
  reference: unknown,
  { token, headers = {} }: { token?: string; headers?: object } = {},
) => {
  const answer = await call(createListing, {
    token: token ?? agent.token,
    body: { ...minimal, reference },
    headers: { ...headers },
  })
  return answer
}
const edit = async (id: string, body: object) => {
  const answer = await call(editListing, { params: { id }, token: agent.token, body })
  return answer
}
const archive = (id: string) => call(archiveListing, { params: { id }, token: agent.token })
const found = async (reference: string, more: Record<string, string> = {}) => {
  const answer = await call(listOwnListings, { token: agent.token, query: { reference, ...more } })
  const { items, nextCursor } = answer.body
  expect(nextCursor).toBeNull()
  return items.map(({ id }) => id)
}
const live = (more: Partial<Listing> = {}) =>
  aListing(agent.id, { ...COMPLETE, media: [aMedia()], status: 'PUBLISHED', ...more })

describe('a reference', () => {
  it('is what the agent said, trimmed, and null where it was not said', async () => {
    expect((await create('  ABJ-2041 ')).body.reference).toBe('ABJ-2041')
    expect((await create(undefined)).body.reference).toBeNull()
    expect((await create(null)).body.reference).toBeNull()
    const longest = '🏠'.repeat(100)
    expect((await create(longest)).body.reference).toBe(longest)
  })

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['of 101 characters', 'x'.repeat(101)],
    ['with a line break', 'a\nb'],
    ['with a tab', 'a\tb'],
    ['with a control character of Latin-1', 'a\u0085b'],
    ['a number', 7],
  ])('that is %s is refused', async (_what, reference) => {
    const refused = { status: 400, body: { code: 'validation_failed', errors: [{ path: 'reference' }] } }
    expect(await create(reference)).toMatchObject(refused)
    const { body } = await create('A')
    expect(await edit(body.id, { reference })).toMatchObject(refused)
  })

  it('is seen by its agent and administrators, and by nobody else', async () => {
    agent = await aVerifiedAgent()
    const { body } = await create('Seen by few')
    const id = await live({ reference: 'Seen by some' })
    const seen = async (listing: string, token?: string) =>
      (await call(getListing, { params: { id: listing }, ...(token && { token }) })).body
    const admin = await consoleToken()
    expect(await seen(body.id, agent.token)).toMatchObject({ reference: 'Seen by few' })
    expect(await seen(body.id, admin)).toMatchObject({ reference: 'Seen by few' })
    expect(await seen(id, agent.token)).toMatchObject({ reference: 'Seen by some' })
    expect(await seen(id)).toMatchObject({ id, view: 'public' })
    expect(await seen(id)).not.toHaveProperty('reference')
    const { body: page } = await call(searchListings, { query: { ids: id } })
    expect(page).toMatchObject({ items: [{ id }] })
    expect(JSON.stringify(page)).not.toContain('Seen by some')
  })
})

describe('409 reference_taken', () => {
  it('names the listing that has the reference, and makes no second one', async () => {
    const first = await create('A')
    expect(await create(' A ')).toMatchObject({
      status: 409,
      body: { code: 'reference_taken', listingId: first.body.id },
    })
    const { body } = await call(listOwnListings, { token: agent.token })
    expect(body).toMatchObject({ items: [{ id: first.body.id }] })
  })

  it('compares exactly, and each agent’s references by themselves', async () => {
    await create('Réf 1')
    for (const other of ['réf 1', 'Ref 1', 'Réf  1', 'Réf 1'.normalize('NFD')]) {
      expect((await create(other)).status).toBe(201)
    }
    const another = await anAgent()
    expect((await create('Réf 1', { token: another.token })).status).toBe(201)
  })

  it('is the answer to all but one of many that come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create('A')))
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer !== made[0])) {
      expect({ status, code: body }).toMatchObject({
        status: 409,
        code: { code: 'reference_taken', listingId: made[0]?.body.id },
      })
    }
    expect(await found('A')).toEqual([made[0]?.body.id])
  })

  it('is said before any limit, and a repeated key is answered as the first time', async () => {
    const headers = { 'idempotency-key': 'import-1' }
    const first = await create('A', { headers })
    const limits = { ...LIMITS, drafts: 1, listings: 1 }
    const send = (reference: string) =>
      call(createListing, {
        token: agent.token,
        body: { ...minimal, reference },
        deps: { limits },
      })
    expect(await send('A')).toMatchObject({ status: 409, body: { code: 'reference_taken' } })
    expect(await send('B')).toMatchObject({ status: 409, body: { code: 'draft_limit_reached' } })
    expect(await create('A', { headers })).toMatchObject({ status: 201, body: { id: first.body.id } })
  })

  it('answers a change to a reference that another listing has; both stay as they were', async () => {
    const [a, b] = [await create('A'), await create('B')]
    expect(await edit(b.body.id, { reference: 'A', title: 'A house' })).toMatchObject({
      status: 409,
      body: { code: 'reference_taken', listingId: a.body.id },
    })
    expect(await call(getListing, { params: { id: b.body.id }, token: agent.token })).toMatchObject({
      headers: { etag: '"1-owner"' },
      body: { reference: 'B', title: null },
    })
    expect([await found('A'), await found('B')]).toEqual([[a.body.id], [b.body.id]])
  })

  it('lets one of two listings have a reference that both change to at once', async () => {
    const [a, b] = [await create('A'), await create('B')]
    const answers = await Promise.all([a, b].map(({ body }) => edit(body.id, { reference: 'C' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const winner = answers.find(({ status }) => status === 200)
    expect(await found('C')).toEqual([winner?.body.id])
  })
})

describe('a changed reference', () => {
  it('is found by the new one at once, and the old one is free', async () => {
    const { body } = await create('A')
    expect((await edit(body.id, { reference: 'B' })).body.reference).toBe('B')
    expect([await found('A'), await found('B')]).toEqual([[], [body.id]])
    expect((await create('A')).status).toBe(201)
    expect((await edit(body.id, { reference: null })).body.reference).toBeNull()
    expect(await found('B')).toEqual([])
    expect((await create('B')).status).toBe(201)
  })

  it('stays where a change does not name it, and the same one again makes no version', async () => {
    const { body } = await create('A')
    expect((await edit(body.id, { title: 'A house' })).body.reference).toBe('A')
    const same = await edit(body.id, { reference: 'A' })
    expect(same).toMatchObject({ status: 200, headers: { etag: '"2-owner"' } })
  })

  it.each(['PUBLISHED', 'SUSPENDED'] as const)(
    'a new reference of a %s listing waits in no revision',
    async (status) => {
      agent = await aVerifiedAgent()
      const id = await live({ status })
      expect((await edit(id, { reference: 'A', title: 'Another title' })).body).toMatchObject({
        status,
        reference: 'A',
        revision: { changes: { title: 'Another title' } },
      })
      const { body } = await edit(id, { reference: 'B' })
      expect(body.revision).not.toHaveProperty('changes.reference')
      expect(await found('B')).toEqual([id])
    },
  )

  it('stays through the decision about a revision', async () => {
    agent = await aVerifiedAgent()
    const id = await live({ reference: 'A' })
    await edit(id, { title: 'Another title' })
    await edit(id, { reference: 'B' })
    await moderated(id, { status: 'PUBLISHED' })
    expect((await edit(id, {})).body).toMatchObject({ reference: 'B', title: 'Another title' })
  })
})

describe('an archived listing', () => {
  it('keeps its reference to be seen, and gives it up to another', async () => {
    const { body } = await create('A')
    await archive(body.id)
    expect(await found('A')).toEqual([])
    expect(await call(getListing, { params: { id: body.id }, token: agent.token })).toMatchObject({
      body: { status: 'ARCHIVED', reference: 'A' },
    })
    const second = await create('A')
    expect(second.status).toBe(201)
    expect(await found('A')).toEqual([second.body.id])
    await archive(body.id)
    expect(await found('A')).toEqual([second.body.id])
  })
})

describe('GET /auth/profile/listings?reference=', () => {
  it('answers the one listing, if it has one of the statuses too', async () => {
    const { body } = await create('A')
    await create('B')
    expect(await found('A')).toEqual([body.id])
    expect(await found(' A ', { limit: '1' })).toEqual([body.id])
    expect(await found('A', { status: 'DRAFT' })).toEqual([body.id])
    expect(await found('A', { status: 'PUBLISHED' })).toEqual([])
    expect(await found('a')).toEqual([])
  })

  it('finds nothing of another agent’s', async () => {
    const another = await anAgent()
    await create('A', { token: another.token })
    expect(await found('A')).toEqual([])
  })

  it('refuses a reference that no listing can have', async () => {
    for (const reference of ['', 'x'.repeat(101)]) {
      const answer = await call(listOwnListings, { token: agent.token, query: { reference } })
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'reference' }] } })
    }
  })
})
