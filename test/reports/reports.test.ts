import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as followModeration } from '#functions/jobs/follow-moderation'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { spec as closeReports } from '#functions/reports/close-reports'
import { spec as listReported } from '#functions/reports/list-reported-listings'
import { spec as listReports } from '#functions/reports/list-reports'
import { spec as reportListing } from '#functions/reports/report-listing'
import { timestamp } from '#lib/kernel/clock'
import { ListingId, newId, UserId } from '#lib/kernel/id'
import { openReports } from '#lib/reports/report-store.dynamo'
import { call } from '#test/support/call'
import { aListedHouse } from '#test/support/enquiries'
import { eventsOf } from '#test/support/events'
import { aUser, aVerifiedAgent, consoleToken, PASSWORD } from '#test/support/given'
import { aListing, aMedia, COMPLETE } from '#test/support/listings'
import { anEvent, mailsOfEvent, notificationsOf } from '#test/support/notifications'
import { overtaken } from '#test/support/overtaken'
import { pagesOf } from '#test/support/pages'
import { changeOf, deliveredTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

type Reported = {
  listing: { id: string }
  count: number
  reasons: Record<string, number>
  firstAt: string
  lastAt: string
}

let admin: string
let networks = 0

beforeAll(async () => {
  admin = await consoleToken()
})

const aNetwork = () => {
  networks += 1
  return `198.51.100.${networks}`
}
const report = (id: string, { token, ipAddress = aNetwork(), ...body }: Record<string, string> = {}) =>
  call(reportListing, { params: { id }, token, ipAddress, body: { reason: 'misleading', ...body } })
const reported = async (id: string): Promise<Reported | undefined> =>
  (await pagesOf<Reported>(listReported, admin, { limit: '100' }))
    .flat()
    .find(({ listing }) => listing.id === id)
const close = (id: string, body: object) =>
  call(closeReports, { params: { listingId: id }, token: admin, body })
const reportsOf = async (id: string) => {
  const { body } = await call(listReports, { params: { listingId: id }, token: admin })
  return body.items
}
const move = (listing: string, to: string, by = 'admin') => ({
  listingId: listing,
  id: newId('event'),
  field: 'status',
  from: 'PUBLISHED',
  to,
  by,
  at: timestamp(new Date(Date.now() + 5)),
  reasons: [],
  message: null,
  note: null,
})

describe('a report of a listing', () => {
  it('is made by anyone, and summed up for moderators', async () => {
    const { listing } = await aListedHouse()
    const { token } = await aUser()
    expect(await report(listing, { token, text: 'The pictures are of another house.' })).toMatchObject({
      status: 202,
      text: '',
    })
    expect(await report(listing, { reason: 'duplicate' })).toMatchObject({ status: 202 })
    const summary = await reported(listing)
    expect(summary).toMatchObject({ count: 2, reasons: { misleading: 1, duplicate: 1 } })
    expect(await reportsOf(listing)).toEqual([
      { reason: 'duplicate', text: null, at: summary?.lastAt },
      { reason: 'misleading', text: 'The pictures are of another house.', at: summary?.firstAt },
    ])
  })

  it('joins the open one of the same person, and that of the same network on the same day', async () => {
    const { listing } = await aListedHouse()
    const { token } = await aUser()
    await report(listing, { token })
    expect(await report(listing, { token, reason: 'duplicate' })).toMatchObject({ status: 202 })
    for (const ipAddress of ['192.0.2.9', '192.0.2.9', '2001:db8:1:2::1', '2001:db8:1:2:3::4']) {
      await report(listing, { ipAddress })
    }
    expect(await reported(listing)).toMatchObject({ count: 3, reasons: { misleading: 3 } })
  })

  it('of networks counts for their /64, and for their /48 with ten times its limit', async () => {
    const { listing } = await aListedHouse()
    // A tenth of the limits: one report of a /64, and ten of a /48.
    const from = (ipAddress: string) =>
      call(reportListing, {
        params: { id: listing },
        ipAddress,
        body: { reason: 'other' },
        deps: { networkLimitFactor: 0.1 },
      })
    const answers = []
    for (let subnet = 0; subnet < 11; subnet += 1)
      answers.push(await from(`2001:db8:115:${subnet.toString(16)}::1`))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(202), 429])
    expect((await from('2001:db8:116::1')).status).toBe(202)
  })

  it('is one for each of many at once', async () => {
    const { listing } = await aListedHouse()
    const { token } = await aUser()
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => report(listing)),
      ...Array.from({ length: 4 }, () => report(listing, { token })),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202))
    expect(await reported(listing)).toMatchObject({ count: 5 })
  })

  it('is one for a person who reports again between the two looks of the first', async () => {
    const { listing } = await aListedHouse()
    const { token } = await aUser()
    const store = openReports(testTable())
    const reports = overtaken(store, 'get', () => report(listing, { token }))
    const request = { params: { id: listing }, token, body: { reason: 'duplicate' } }
    expect(await call(reportListing, { ...request, deps: { reports } })).toMatchObject({ status: 202 })
    expect(await reported(listing)).toMatchObject({ count: 1 })
  })

  it('needs a public listing, a known reason and a good token', async () => {
    const { listing } = await aListedHouse()
    expect(await report(newId('listing'))).toMatchObject({ status: 404 })
    expect(await report('nonsense')).toMatchObject({ status: 404 })
    expect(await report(listing, { reason: 'dull' })).toMatchObject({ status: 400 })
    expect(await report(listing, { token: 'wrong' })).toMatchObject({ status: 401 })
    expect(await reported(listing)).toBeUndefined()
  })

  it('is refused after ten within the hour', async () => {
    const { token } = await aUser()
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      const { listing } = await aListedHouse()
      statuses.push((await report(listing, { token })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(202), 429])
  })
})

describe('open reports', () => {
  it('are closed together, unless one is newer than was seen', async () => {
    const { listing } = await aListedHouse()
    await report(listing)
    const seen = await reported(listing)
    await report(listing)
    expect(await close(listing, { outcome: 'DISMISSED', upTo: seen?.lastAt })).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    })
    const all = await reported(listing)
    expect(await close(listing, { outcome: 'DISMISSED', upTo: all?.lastAt, note: 'Seen' })).toMatchObject({
      status: 200,
      body: { listingId: listing, outcome: 'DISMISSED', closed: 2 },
    })
    expect(await reported(listing)).toBeUndefined()
    expect(await reportsOf(listing)).toEqual([])
    expect(await close(listing, { outcome: 'ACTED', upTo: all?.lastAt })).toMatchObject({
      body: { closed: 0 },
    })
  })

  it('may come again from the same person once they were closed', async () => {
    const { listing } = await aListedHouse()
    const { token } = await aUser()
    await report(listing, { token })
    await close(listing, { outcome: 'DISMISSED', upTo: (await reported(listing))?.lastAt })
    await report(listing, { token })
    expect(await reported(listing)).toMatchObject({ count: 1 })
  })

  it('tell those who made them, once they were acted on', async () => {
    const { listing } = await aListedHouse()
    const { token } = await aUser()
    await report(listing, { token })
    await report(listing)
    const closed = await close(listing, { outcome: 'ACTED', upTo: (await reported(listing))?.lastAt })
    const { at } = closed.body
    await mailsOfEvent(
      anEvent('reports.closed', listing, { outcome: 'ACTED', count: 2 }, { at: new Date(at) }),
      2,
    )
    expect((await notificationsOf(token)).items).toMatchObject([
      { title: 'Thank you for your report', type: 'reports.closed', subject: listing },
    ])
  })

  it('are closed by a moderator who takes the listing down, and by its archiving', async () => {
    for (const to of ['SUSPENDED', 'REJECTED', 'ARCHIVED']) {
      const { listing } = await aListedHouse()
      await report(listing)
      await deliveredTo(followModeration, [changeOf(undefined, move(listing, to, 'system'))])
      if (to !== 'ARCHIVED') expect(await reported(listing)).toMatchObject({ count: 1 })
      await deliveredTo(followModeration, [changeOf(undefined, move(listing, to))])
      expect(await reported(listing)).toBeUndefined()
    }
  })

  it('are closed by a moderator whose suspension replaces the service’s own, not by a decided revision', async () => {
    const { listing } = await aListedHouse()
    await report(listing)
    const within = (status: string) => ({ ...move(listing, status), from: status })
    await deliveredTo(followModeration, [changeOf(undefined, within('PUBLISHED'))])
    expect(await reported(listing)).toMatchObject({ count: 1 })
    await deliveredTo(followModeration, [changeOf(undefined, within('SUSPENDED'))])
    expect(await reported(listing)).toBeUndefined()
  })

  it('a report after a move stays open when the move is delivered again', async () => {
    const { listing } = await aListedHouse()
    const earlier = { ...move(listing, 'REJECTED'), at: timestamp(new Date(Date.now() - 60_000)) }
    await report(listing)
    await deliveredTo(followModeration, [changeOf(undefined, earlier)])
    expect(await reported(listing)).toMatchObject({ count: 1 })
  })

  it('a report after a listing’s return stays open, however late its suspension is delivered', async () => {
    const { listing } = await aListedHouse()
    const { token } = await aUser()
    await report(listing, { token })
    await report(listing, { reason: 'duplicate' })
    const suspension = { ...move(listing, 'SUSPENDED'), at: timestamp(new Date()) }
    await setTimeout(2)
    await report(listing, { reason: 'other' })
    await deliveredTo(followModeration, [changeOf(undefined, suspension)])
    const left = await reported(listing)
    expect(left).toMatchObject({ count: 1, reasons: { other: 1 }, firstAt: left?.lastAt })
    expect(await reportsOf(listing)).toMatchObject([{ reason: 'other' }])
    const [closed] = await eventsOf(listing, 'reports.closed')
    expect(closed).toMatchObject({ data: { outcome: 'ACTED', count: 2 } })
    await mailsOfEvent(
      anEvent('reports.closed', listing, { outcome: 'ACTED', count: 2 }, { at: new Date(closed?.at ?? '') }),
      1,
    )
    expect((await notificationsOf(token)).items).toMatchObject([{ subject: listing }])
  })

  it('of more listings than one answer carries are listed on further pages', async () => {
    const agent = await aVerifiedAgent()
    const listings: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const id = await aListing(agent.id, { ...COMPLETE, media: [aMedia()] })
      listings.push(id)
      await report(id)
    }
    const links = {
      toOriginal: async () => 'a'.repeat(2_500_000),
      toVariant: async () => '',
      toPublic: () => '',
    }
    const shown: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const query = { limit: '100', ...(cursor && { cursor }) }
      const answer = await call(listReported, { token: admin, query, deps: { links } })
      expect(Buffer.byteLength(answer.text)).toBeLessThan(6_000_000)
      shown.push(...answer.body.items.map(({ listing }) => listing.id))
      cursor = answer.body.nextCursor
    }
    expect(shown.filter((id) => listings.includes(id))).toEqual(listings)
  })

  it('reports of a listing without any are unknown', async () => {
    const { listing } = await aListedHouse()
    expect(await call(listReports, { params: { listingId: listing }, token: admin })).toMatchObject({
      status: 404,
    })
    expect(await close(listing, { outcome: 'ACTED', upTo: new Date().toISOString() })).toMatchObject({
      status: 404,
    })
  })
})

it('is a 401 and not stored once the reporter’s account has ended meanwhile', async () => {
  const { listing } = await aListedHouse()
  const { id, token } = await aUser()
  const store = openReports(testTable())
  const reports = overtaken(store, 'commit', async () => {
    const ended = await call(deleteAccount, { token, body: { password: PASSWORD } })
    expect(ended).toMatchObject({ status: 204 })
  })
  const request = { params: { id: listing }, token, body: { reason: 'other', text: 'I am Awa Koné.' } }
  expect(await call(reportListing, { ...request, deps: { reports } })).toMatchObject({
    status: 401,
    body: { code: 'unauthenticated' },
  })
  expect(await store.byUser(UserId.parse(id))).toEqual([])
  expect(await reported(listing)).toBeUndefined()
})

it('is not stored once the listing is archived meanwhile, since what closes its reports has passed it by', async () => {
  const { listing, agent } = await aListedHouse()
  const store = openReports(testTable())
  const reports = overtaken(store, 'commit', async () => {
    const archived = await call(archiveListing, { token: agent.token, params: { id: listing } })
    expect(archived).toMatchObject({ status: 204 })
  })
  const request = { params: { id: listing }, ipAddress: aNetwork(), body: { reason: 'other' } }
  expect(await call(reportListing, { ...request, deps: { reports } })).toMatchObject({ status: 404 })
  expect(await reported(listing)).toBeUndefined()
})

it('an erased reporter leaves nothing but that somebody reported', async () => {
  const { listing } = await aListedHouse()
  const { id, token } = await aUser()
  await report(listing, { token, text: 'Ask for me at the harbour.' })
  const reports = openReports(testTable())
  for (const one of await reports.byUser(UserId.parse(id))) await reports.commit([reports.anonymize(one)])
  expect(await reports.byUser(UserId.parse(id))).toEqual([])
  expect(await reportsOf(listing)).toMatchObject([{ reason: 'misleading', text: null }])
  expect((await reports.get(ListingId.parse(listing)))?.count).toBe(1)
})
