import { beforeAll, describe, expect, it } from 'vitest'
import { spec as listActions } from '#functions/administration/list-actions'
import { spec as closeReports } from '#functions/enquiries/close-enquiry-reports'
import { spec as listReported } from '#functions/enquiries/list-reported-enquiries'
import { spec as reportEnquiry } from '#functions/enquiries/report-enquiry'
import { spec as reviewEnquiry } from '#functions/enquiries/review-enquiry'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { openEnquiries } from '#lib/enquiries/enquiry-store.dynamo'
import type { EnquiryView } from '#lib/enquiries/enquiry-view'
import { call } from '#test/support/call'
import { aConversation, aCustomer, anEnquiry } from '#test/support/enquiries'
import { eventsAbout } from '#test/support/events'
import { consoleToken, type GivenUser, PASSWORD } from '#test/support/given'
import { aListing, COMPLETE } from '#test/support/listings'
import { overtaken } from '#test/support/overtaken'
import { pagesOf } from '#test/support/pages'
import { testTable } from '#test/support/test-table'

type Reported = {
  enquiry: EnquiryView
  count: number
  reasons: Record<string, number>
  firstAt: string
  lastAt: string
}

let admin: string

beforeAll(async () => {
  admin = await consoleToken()
})

const report = (by: GivenUser, id: string, body: object = { reason: 'spam' }) =>
  call(reportEnquiry, { params: { id }, token: by.token, body })

const queue = async (limit = '100'): Promise<Reported[]> =>
  (await pagesOf<Reported>(listReported, admin, { limit })).flat()

const review = (id: string) => call(reviewEnquiry, { params: { id }, token: admin })

const close = (id: string, body: object) => call(closeReports, { params: { id }, token: admin, body })

describe('a report of an enquiry', () => {
  it('lets administrators read the enquiry, which nobody but its sides can otherwise', async () => {
    const { agent, customer, enquiry } = await aConversation({ message: 'Pay me in cash' })
    expect(await review(enquiry.id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(
      (await report(agent, enquiry.id, { reason: 'asks_to_pay_elsewhere', text: 'See above' })).status,
    ).toBe(202)
    expect(await review(enquiry.id)).toMatchObject({
      status: 200,
      body: {
        id: enquiry.id,
        customer: { userId: customer.id },
        unreadCount: 0,
        messages: { items: [{ text: 'Pay me in cash' }], nextCursor: null },
        reports: [{ from: 'agent', reason: 'asks_to_pay_elsewhere', text: 'See above', closedAt: null }],
      },
    })
    const [, event] = await eventsAbout(enquiry.id)
    expect(event).toMatchObject({
      type: 'enquiry.reported',
      data: { by: 'agent', reason: 'asks_to_pay_elsewhere' },
    })
    expect(event?.data).not.toHaveProperty('text')
  })

  it('changes nothing while another of the same side is open', async () => {
    const { customer, enquiry } = await aConversation()
    await report(customer, enquiry.id, { reason: 'spam' })
    expect((await report(customer, enquiry.id, { reason: 'harassment' })).status).toBe(202)
    expect((await review(enquiry.id)).body).toMatchObject({ reports: [{ reason: 'spam' }] })
    expect((await eventsAbout(enquiry.id)).map(({ type }) => type)).toEqual([
      'enquiry.created',
      'enquiry.reported',
    ])
  })

  it('is for its two sides, with a reason of the list', async () => {
    const { customer, enquiry } = await aConversation()
    expect((await report(await aCustomer(), enquiry.id)).status).toBe(404)
    for (const body of [{}, { reason: 'rude' }, { reason: 'spam', text: 'x'.repeat(1001) }]) {
      expect((await report(customer, enquiry.id, body)).status).toBe(400)
    }
  })

  it('is a 401 and not stored once the account of its reporter has ended meanwhile', async () => {
    const { customer, enquiry } = await aConversation()
    const { id, token } = customer
    const enquiries = overtaken(openEnquiries(testTable()), 'commit', () =>
      call(deleteAccount, { token, body: { password: PASSWORD } }),
    )
    const request = { params: { id: enquiry.id }, token, body: { reason: 'spam', text: `I am ${id}` } }
    expect(await call(reportEnquiry, { ...request, deps: { enquiries } })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    })
    expect(await review(enquiry.id)).toMatchObject({ status: 404 })
  })

  it('is one of ten in an hour at most, and one that joins another does not count', async () => {
    const { agent, customer, enquiry } = await aConversation()
    for (let times = 0; times < 12; times += 1) {
      expect((await report(customer, enquiry.id)).status).toBe(202)
    }
    const listings = await Promise.all(Array.from({ length: 10 }, () => aListing(agent.id, COMPLETE)))
    const enquiries = await Promise.all(listings.map((listing) => anEnquiry(customer, listing)))
    const answers = await Promise.all(enquiries.map(({ id }) => report(customer, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(202), 429])
  })
})

describe('the list of reported enquiries', () => {
  it('has the longest waiting first, without messages, and what was reported of each', async () => {
    const known = new Set((await queue()).map(({ enquiry }) => enquiry.id))
    const [one, other] = await Promise.all([aConversation(), aConversation()])
    await report(one.customer, one.enquiry.id, { reason: 'spam' })
    await report(other.customer, other.enquiry.id, { reason: 'harassment' })
    await report(one.agent, one.enquiry.id, { reason: 'spam' })
    for (const limit of ['1', '100']) {
      const added = (await queue(limit)).filter(({ enquiry }) => !known.has(enquiry.id))
      expect(added).toMatchObject([
        { enquiry: { id: one.enquiry.id }, count: 2, reasons: { spam: 2 } },
        { enquiry: { id: other.enquiry.id }, count: 1, reasons: { harassment: 1 } },
      ])
      expect((added[0]?.firstAt ?? '') < (added[0]?.lastAt ?? '')).toBe(true)
      expect(added[0]?.enquiry).not.toHaveProperty('messages')
    }
  })

  it('is for administrators', async () => {
    const { customer, enquiry } = await aConversation()
    const calls = [
      call(listReported, { token: customer.token }),
      call(reviewEnquiry, { params: { id: enquiry.id }, token: customer.token }),
      call(closeReports, { params: { id: enquiry.id }, token: customer.token, body: {} }),
    ]
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([403, 403, 403])
  })
})

describe('reports that are closed', () => {
  it('leave the list, are announced once, and the enquiry stays readable for 30 days', async () => {
    const { customer, enquiry } = await aConversation()
    await report(customer, enquiry.id)
    const seen = (await queue()).find((item) => item.enquiry.id === enquiry.id)
    const body = { outcome: 'ACTED', upTo: seen?.lastAt, note: 'Warned' }
    expect(await close(enquiry.id, body)).toMatchObject({
      status: 200,
      body: { enquiryId: enquiry.id, outcome: 'ACTED', closed: 1 },
    })
    expect(await close(enquiry.id, body)).toMatchObject({ status: 200, body: { closed: 0 } })
    expect((await queue()).some((item) => item.enquiry.id === enquiry.id)).toBe(false)
    const closed = (await eventsAbout(enquiry.id)).filter(({ type }) => type === 'reports.closed')
    expect(closed.map(({ data }) => data)).toEqual([{ outcome: 'ACTED', count: 1 }])
    expect(await review(enquiry.id)).toMatchObject({
      status: 200,
      body: { reports: [{ outcome: 'ACTED', closedAt: expect.any(String) }] },
    })
    const actions = await call(listActions, { token: admin, query: { subject: enquiry.id } })
    expect(actions.body).toMatchObject({
      items: [
        { action: 'enquiry.viewed', by: 'admin' },
        { action: 'reports.closed', details: { outcome: 'ACTED', count: 1, note: 'Warned' } },
      ],
    })
    const afterDays = async (days: number) => {
      const inSeconds = Math.floor(Date.now() / 1000) + days * 86_400
      const token = await consoleToken({ exp: inSeconds + 600 })
      const deps = { now: () => new Date(inSeconds * 1000) }
      return (await call(reviewEnquiry, { params: { id: enquiry.id }, token, deps })).status
    }
    expect([await afterDays(29), await afterDays(31)]).toEqual([200, 404])
  })

  it('are those that were seen: a newer one is a 412', async () => {
    const { agent, customer, enquiry } = await aConversation()
    await report(customer, enquiry.id)
    const upTo = (await queue()).find((item) => item.enquiry.id === enquiry.id)?.lastAt
    await report(agent, enquiry.id)
    expect(await close(enquiry.id, { outcome: 'DISMISSED', upTo })).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    })
    expect((await queue()).find((item) => item.enquiry.id === enquiry.id)?.count).toBe(2)
  })

  it('can be followed by another report, which opens the enquiry to administrators again', async () => {
    const { customer, enquiry } = await aConversation()
    await report(customer, enquiry.id)
    await close(enquiry.id, { outcome: 'DISMISSED', upTo: new Date().toISOString() })
    await report(customer, enquiry.id, { reason: 'harassment' })
    expect((await queue()).find((item) => item.enquiry.id === enquiry.id)).toMatchObject({
      count: 1,
      reasons: { harassment: 1 },
    })
  })

  it('are those of an enquiry that was reported, with an outcome', async () => {
    const { enquiry } = await aConversation()
    const upTo = new Date().toISOString()
    expect((await close(enquiry.id, { outcome: 'ACTED', upTo })).status).toBe(404)
    expect((await close(enquiry.id, { outcome: 'ACTED' })).status).toBe(400)
    expect((await close(enquiry.id, { outcome: 'BANNED', upTo })).status).toBe(400)
  })
})
