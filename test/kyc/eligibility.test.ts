import { beforeAll, describe, expect, it } from 'vitest'
import { spec as getPublicAgent } from '#functions/accounts/get-public-agent'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { eligibilityKey } from '#lib/accounts/account.keys'
import { openAccounts } from '#lib/accounts/account-store.dynamo'
import { eventKey } from '#lib/events/event.keys'
import type { Spec } from '#lib/http/spec'
import { systemClock } from '#lib/kernel/clock'
import { EventId, type ListingId, newId, UserId } from '#lib/kernel/id'
import type { ListingStatus } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { followEligibility } from '#lib/listings/moves/follow-eligibility'
import { call } from '#test/support/call'
import { aUser, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, COMPLETE, listingOf } from '#test/support/listings'
import { streamTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

let admin: string
beforeAll(async () => {
  admin = await consoleToken()
})

const decide = (agent: GivenUser, kycStatus: string) =>
  call(setKycStatus, { token: admin, body: { userId: agent.id, kycStatus } })
const setStatus = (agent: GivenUser, status: string) =>
  call(updateUser, { token: admin, params: { id: agent.id }, body: { status } })
const moderate = (id: ListingId, body: object) =>
  call(moderateListing, { token: admin, params: { id }, body })
const follow = (agent: GivenUser) => streamTo(followAccounts, eligibilityKey(UserId.parse(agent.id)))
const seen = async (spec: Spec, params: Record<string, string>) => (await call(spec, { params })).status
const statesOf = async (ids: ListingId[]) =>
  (await Promise.all(ids.map(listingOf))).map((listing) =>
    [listing?.status, ...(listing?.reasons ?? [])].join(' '),
  )
/** How often each was moved. */
const movesOf = async (ids: ListingId[]) => {
  const store = openListings(testTable())
  return (await Promise.all(ids.map(store.moves))).map((moves) => moves.length)
}

const SUSPENDED = 'SUSPENDED owner_not_verified'

describe('an agent who stops being verified', () => {
  it('is out of public answers at once, and back at once', async () => {
    const agent = await aVerifiedAgent()
    const id = await aListing(agent.id, COMPLETE)
    const both = async () => [
      await seen(getPublicAgent, { userId: agent.id }),
      await seen(getListing, { id }),
    ]
    expect(await both()).toEqual([200, 200])
    await decide(agent, 'REJECTED')
    expect(await both()).toEqual([404, 404])
    await decide(agent, 'VERIFIED')
    expect(await both()).toEqual([200, 200])
    await setStatus(agent, 'BANNED')
    expect(await both()).toEqual([404, 404])
    await setStatus(agent, 'ACTIVE')
    expect(await both()).toEqual([200, 200])
  })

  it('has every published listing suspended, and those and only those come back', async () => {
    const agent = await aVerifiedAgent()
    const others: ListingStatus[] = ['DRAFT', 'PENDING_REVIEW', 'REJECTED', 'ARCHIVED']
    const kept = await Promise.all(others.map((status) => aListing(agent.id, { status, publishedAt: null })))
    const suspended = await aListing(agent.id, { status: 'SUSPENDED', reasons: ['duplicate'] })
    const published = await Promise.all(Array.from({ length: 150 }, () => aListing(agent.id)))
    await decide(agent, 'PENDING')
    await follow(agent)
    expect(new Set(await statesOf(published))).toEqual(new Set([SUSPENDED]))
    await follow(agent)
    expect(await movesOf(published)).toEqual(Array(150).fill(1))
    await decide(agent, 'VERIFIED')
    await follow(agent)
    expect(await movesOf(published)).toEqual(Array(150).fill(2))
    expect(new Set(await statesOf(published))).toEqual(new Set(['PUBLISHED']))
    expect(await statesOf(kept)).toEqual(others)
    expect(await statesOf([suspended])).toEqual(['SUSPENDED duplicate'])
  })

  it('has each move recorded as the service’s own, and announced', async () => {
    const agent = await aVerifiedAgent()
    const id = await aListing(agent.id)
    await setStatus(agent, 'BANNED')
    await follow(agent)
    const { items } = await testTable().query({
      partition: `LISTING#${id}`,
      beginsWith: 'MOVE#',
    })
    expect(items).toMatchObject([
      { from: 'PUBLISHED', to: 'SUSPENDED', by: 'system', reasons: ['owner_not_verified'] },
    ])
    const announced = await testTable().get(eventKey(EventId.parse(items[0]?.['id'])))
    expect(announced).toMatchObject({ type: 'listing.status_changed', subject: id })
  })

  it('leaves a listing suspended that a moderator has suspended meanwhile', async () => {
    const agent = await aVerifiedAgent()
    const [taken, other] = [await aListing(agent.id), await aListing(agent.id)]
    await decide(agent, 'REJECTED')
    await follow(agent)
    expect((await moderate(taken, { status: 'SUSPENDED', reasons: ['suspected_fraud'] })).status).toBe(200)
    await decide(agent, 'VERIFIED')
    await follow(agent)
    expect(await statesOf([taken, other])).toEqual(['SUSPENDED suspected_fraud', 'PUBLISHED'])
  })

  it('has no listing published by a moderator who has not heard', async () => {
    const agent = await aVerifiedAgent()
    const id = await aListing(agent.id, { status: 'PENDING_REVIEW' })
    await setStatus(agent, 'BANNED')
    expect(await moderate(id, { status: 'PUBLISHED' })).toMatchObject({
      status: 409,
      body: { code: 'owner_not_verified' },
    })
  })
})

describe('the newest decision', () => {
  it('wins over word of an older one', async () => {
    const agent = await aVerifiedAgent()
    const id = await aListing(agent.id)
    await decide(agent, 'REJECTED')
    await decide(agent, 'VERIFIED')
    await follow(agent)
    expect(await statesOf([id])).toEqual(['PUBLISHED'])
    expect(await movesOf([id])).toEqual([0])
  })

  it('wins when it comes while an older one is being followed', async () => {
    const agent = await aVerifiedAgent()
    const ids = await Promise.all(Array.from({ length: 5 }, () => aListing(agent.id)))
    await decide(agent, 'REJECTED')
    const table = testTable()
    const listings = openListings(table)
    let writes = 0
    const deps = {
      accounts: openAccounts(table),
      now: systemClock,
      newId,
      listings: {
        ...listings,
        commit: async (parts: Parameters<typeof listings.commit>[0]) => {
          writes += 1
          if (writes === 3) await decide(agent, 'VERIFIED')
          await listings.commit(parts)
        },
      },
    }
    expect(await followEligibility(deps, UserId.parse(agent.id))).toBeLessThan(5)
    await follow(agent)
    expect(await statesOf(ids)).toEqual(Array(5).fill('PUBLISHED'))
  })

  it('wins however many jobs follow at once', async () => {
    const agent = await aVerifiedAgent()
    const ids = await Promise.all(Array.from({ length: 20 }, () => aListing(agent.id)))
    await decide(agent, 'REJECTED')
    await Promise.all([follow(agent), follow(agent), setStatus(agent, 'BANNED'), follow(agent)])
    await follow(agent)
    expect(await statesOf(ids)).toEqual(Array(20).fill(SUSPENDED))
    await Promise.all([decide(agent, 'VERIFIED'), setStatus(agent, 'ACTIVE'), follow(agent)])
    await Promise.all([follow(agent), follow(agent)])
    expect(await statesOf(ids)).toEqual(Array(20).fill('PUBLISHED'))
  })

  it('about an agent without listings moves no listing', async () => {
    const agent = await aVerifiedAgent()
    await decide(agent, 'REJECTED')
    expect(await follow(agent)).toBe(0)
  })
})

describe('GET /agents/{userId}', () => {
  it('shows customers how to choose and reach an agent, and nothing else', async () => {
    const agent = await aVerifiedAgent()
    const { status, body } = await call(getPublicAgent, { params: { userId: agent.id } })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        answers: null,
        listingCount: 0,
        memberSince: expect.any(String),
        userId: agent.id,
        displayName: 'Awa Immobilier',
        agency: 'Awa & Co',
        bio: null,
        phone: null,
        languages: [],
        serviceAreas: [],
        createdAt: expect.stringMatching(/Z$/),
      },
    })
  })

  it('knows nobody who is no verified agent', async () => {
    const person = await aUser()
    await decide(person, 'VERIFIED')
    for (const userId of [person.id, 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'awa']) {
      expect(await call(getPublicAgent, { params: { userId } })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    }
  })
})
