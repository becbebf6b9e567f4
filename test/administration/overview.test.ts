import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { spec as claimSubject } from '#functions/administration/claim-subject'
import { spec as getOverview } from '#functions/administration/get-overview'
import { spec as searchAdministration } from '#functions/administration/search'
import { spec as closeEnquiryReports } from '#functions/enquiries/close-enquiry-reports'
import { spec as listReportedEnquiries } from '#functions/enquiries/list-reported-enquiries'
import { spec as reportEnquiry } from '#functions/enquiries/report-enquiry'
import { spec as auditOverview } from '#functions/jobs/audit-overview'
import { spec as countOverview } from '#functions/jobs/count-overview'
import { spec as rebuildOverview } from '#functions/jobs/rebuild-overview'
import { spec as listKycReviews } from '#functions/kyc/list-kyc-reviews'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as listQueuedListings } from '#functions/listings/list-queued-listings'
import { spec as submitListing } from '#functions/listings/submit-listing'
import { spec as listCallbacks } from '#functions/payments/list-callbacks'
import { spec as resolveCallback } from '#functions/payments/resolve-callback'
import { spec as createPayout } from '#functions/payouts/create-payout'
import { spec as settlePayout } from '#functions/payouts/settle-payout'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { spec as closeReports } from '#functions/reports/close-reports'
import { spec as listReportedListings } from '#functions/reports/list-reported-listings'
import { spec as reportListing } from '#functions/reports/report-listing'
import type { Overview } from '#lib/administration/overview/get-overview'
import { overviewCounterKey, overviewPartitions } from '#lib/administration/overview/overview.keys'
import type { Walked } from '#lib/administration/walk-lists'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { DAY_SECONDS, secondsAfter } from '#lib/kernel/clock'
import { CallbackId, newId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import { callbackKey, callbackListKey } from '#lib/payments/payment.keys'
import type { PayoutView } from '#lib/payouts/payout'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { handIn } from '#test/support/documents'
import { aConversation, aListedHouse } from '#test/support/enquiries'
import { aProvenUser, aUser, aVerifiedAgent, consoleToken, PASSWORD } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing, aMedia, COMPLETE } from '#test/support/listings'
import { type ListSpec, pagesOf } from '#test/support/pages'
import { aPayment, paid } from '#test/support/payments'
import { aPaidAgent, SETTINGS } from '#test/support/payouts'
import { moderated } from '#test/support/published'
import { deliverChanges, tableChanges } from '#test/support/table-changes'
import { testTable } from '#test/support/test-table'

type Queue = keyof Overview['waiting']

const NOTHING = { count: 0, oldestAt: null }
const today = () => new Date().toISOString().slice(0, 10)
const at = (now: Date) => ({ now: () => now })

let admin: string
let changes: Awaited<ReturnType<typeof tableChanges>>

beforeAll(async () => {
  admin = await consoleToken({ exp: Math.floor(Date.now() / 1000) + 10 * DAY_SECONDS })
  changes = await tableChanges(countOverview)
})

const overview = async (now = new Date()): Promise<Overview> => {
  const { status, body, text } = await call(getOverview, { token: admin, deps: at(now) })
  if (status !== 200) throw new Error(text)
  return body
}
/** Hands everything to the overview that has changed since. */
const follow = async () => deliverChanges(countOverview, await changes())
const waiting = async (queue: Queue) => (await overview()).waiting[queue]
const signedUp = async () => (await overview()).signUps?.[0]?.count ?? 0
const payments = async (currency: string, now?: Date) =>
  (await overview(now)).payments?.filter((each) => each.currency === currency)
const firstOf = async <Item>(spec: ListSpec<Item>): Promise<Item | undefined> =>
  (await pagesOf(spec, admin))[0]?.[0]
const rebuild = (deps: object = {}) => runJob<Walked>(rebuildOverview, { ...deps })
const audit = (deps: object = {}) => runJob<Walked>(auditOverview, { ...deps })

describe('GET /admin/overview', () => {
  it('shows every queue and today with the seven days before, while there is nothing', async () => {
    const shown = await overview(new Date('2026-03-03T23:59:59.999Z'))
    expect(shown.waiting).toEqual({
      kyc: NOTHING,
      listings: NOTHING,
      reports: NOTHING,
      enquiries: NOTHING,
      callbacks: NOTHING,
      disputes: NOTHING,
      refunds: NOTHING,
      payouts: NOTHING,
    })
    expect(shown.payments).toEqual([])
    expect(shown.signUps?.map(({ date }) => date)).toEqual([
      '2026-03-03',
      '2026-03-02',
      '2026-03-01',
      '2026-02-28',
      '2026-02-27',
      '2026-02-26',
      '2026-02-25',
      '2026-02-24',
    ])
    expect(shown.signUps?.every(({ count }) => count === 0)).toBe(true)
  })

  it.each([
    ['people', ['kyc'], []],
    ['moderators', ['listings', 'reports', 'enquiries'], []],
    ['cashiers', ['callbacks', 'disputes', 'refunds', 'payouts'], ['payments']],
    ['helpers', [], ['signUps']],
    ['integrators', [], []],
    [
      'auditors',
      ['kyc', 'listings', 'reports', 'enquiries', 'callbacks', 'disputes', 'refunds', 'payouts'],
      ['payments', 'signUps'],
    ],
  ])('is null to %s where they may not read', async (group, queues, parts) => {
    const token = await consoleToken({ 'cognito:groups': [group] })
    const { status, body } = await call(getOverview, { token })
    const shown: Overview = body
    const namesOfSet = (of: object) =>
      Object.entries(of).flatMap(([name, each]) => (each === null ? [] : [name]))
    const { waiting: inQueues, ...rest } = shown
    expect([status, namesOfSet(inQueues), namesOfSet(rest)]).toEqual([200, queues, parts])
  })

  it('is for administrators alone, and takes no parameter', async () => {
    const { token } = await aUser()
    expect(await call(getOverview)).toMatchObject({ status: 401 })
    expect(await call(getOverview, { token })).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await call(getOverview, { token: admin, query: { days: '3' } })).toMatchObject({ status: 400 })
  })
})

describe('the overview', () => {
  beforeEach(async () => {
    await follow()
  })

  it('counts a sign-up on the day of the registration, and no more once the account is gone', async () => {
    const before = await signedUp()
    const person = await aUser()
    await aUser()
    await follow()
    expect(await signedUp()).toBe(before + 2)
    const nextWeek = new Date(Date.now() + 7 * DAY_SECONDS * 1000)
    expect((await overview(nextWeek)).signUps?.at(-1)).toEqual({ date: today(), count: before + 2 })
    const body = { password: PASSWORD }
    expect((await call(deleteAccount, { token: person.token, body })).status).toBe(204)
    await follow()
    expect(await signedUp()).toBe(before + 1)
  })

  it('counts people who wait for a decision, and since when the first of them waits', async () => {
    const [one, other] = [await aProvenUser(), await aProvenUser()]
    await handIn(one.token)
    await handIn(other.token)
    await follow()
    const first = await firstOf(listKycReviews)
    expect(await waiting('kyc')).toEqual({ count: 2, oldestAt: first?.waitingSince })
    expect(first?.['userId']).toBe(one.id)
    // A person who waits and whose account ends waits no more.
    await call(deleteAccount, { token: one.token, body: { password: PASSWORD } })
    await follow()
    expect(await waiting('kyc')).toMatchObject({ count: 1 })
    await call(deleteAccount, { token: other.token, body: { password: PASSWORD } })
    await follow()
    expect(await waiting('kyc')).toEqual(NOTHING)
  })

  it('counts listings in review, and none that was decided on', async () => {
    const agent = await aVerifiedAgent()
    const draft: Partial<Listing> = {
      ...COMPLETE,
      media: [aMedia()],
      status: 'DRAFT',
      submittedAt: null,
      publishedAt: null,
    }
    const ids = [await aListing(agent.id, draft), await aListing(agent.id, draft)]
    await follow()
    for (const id of ids) {
      expect((await call(submitListing, { token: agent.token, params: { id } })).status).toBe(200)
    }
    await follow()
    const first = await firstOf(listQueuedListings)
    expect(await waiting('listings')).toEqual({ count: 2, oldestAt: first?.waitingSince })
    for (const id of ids) await moderated(id, { status: 'REJECTED', reasons: ['other'] })
    await follow()
    expect(await waiting('listings')).toEqual(NOTHING)
  })

  it('counts listings and enquiries with open reports', async () => {
    const { customer, listing, enquiry } = await aConversation()
    await call(reportListing, {
      params: { id: listing },
      token: customer.token,
      body: { reason: 'misleading' },
    })
    await call(reportEnquiry, { params: { id: enquiry.id }, token: customer.token, body: { reason: 'spam' } })
    await follow()
    const [house, talk] = [await firstOf(listReportedListings), await firstOf(listReportedEnquiries)]
    expect(await waiting('reports')).toEqual({ count: 1, oldestAt: house?.firstAt })
    expect(await waiting('enquiries')).toEqual({ count: 1, oldestAt: talk?.firstAt })
    const body = { outcome: 'DISMISSED', upTo: new Date().toISOString() }
    const closed = [
      await call(closeReports, { params: { listingId: listing }, token: admin, body }),
      await call(closeEnquiryReports, { params: { id: enquiry.id }, token: admin, body }),
    ]
    expect(closed.map(({ status }) => status)).toEqual([200, 200])
    await follow()
    expect([await waiting('reports'), await waiting('enquiries')]).toEqual([NOTHING, NOTHING])
  })

  it('counts callbacks that need someone, until they are resolved or expire', async () => {
    for (const amount of [100, 200]) {
      await deliver(fromGateway('payment.succeeded', { id: `txn_${amount}`, amount, currency: 'EUR' }))
    }
    await follow()
    const { items } = (await call(listCallbacks, { token: admin })).body
    const [newest, oldest] = items
    expect(items).toHaveLength(2)
    expect(await waiting('callbacks')).toEqual({ count: 2, oldestAt: oldest?.['receivedAt'] })
    const params = { id: oldest?.['id'] ?? '' }
    const body = { action: 'DISMISS', note: 'A test of theirs' }
    expect((await call(resolveCallback, { token: admin, params, body })).status).toBe(200)
    await follow()
    expect(await waiting('callbacks')).toEqual({ count: 1, oldestAt: newest?.['receivedAt'] })
    // The table removes the entry and the record, in no particular order, once their time has come.
    const id = CallbackId.parse(newest?.['id'])
    const expired = at(secondsAfter(new Date(), 91 * DAY_SECONDS))
    await testTable().commit([TABLE_WRITES.remove(callbackListKey('ATTENTION', id))])
    await deliverChanges(countOverview, await changes(), expired)
    expect(await waiting('callbacks')).toEqual(NOTHING)
    await testTable().commit([TABLE_WRITES.remove(callbackKey(id))])
    await follow()
  })

  it('counts payouts that an administrator has to pay, until they are paid', async () => {
    const payee = await aPaidAgent(500)
    const body = { agentId: payee.id, currency: 'EUR', method: 'by_hand' }
    const made = await call(createPayout, { token: admin, body, deps: { payoutSettings: SETTINGS } })
    const { id, createdAt }: PayoutView = made.body
    await follow()
    expect(await waiting('payouts')).toEqual({ count: 1, oldestAt: createdAt })
    expect((await call(searchAdministration, { token: admin, query: { q: id } })).body).toEqual({
      items: [{ type: 'payout', id, title: '€5.00, PENDING' }],
    })
    expect((await call(claimSubject, { token: admin, params: { subject: id } })).status).toBe(200)
    const paid = { reference: 'Transfer 7', paidAt: '2026-11-20T10:00:00.000Z' }
    expect((await call(settlePayout, { token: admin, params: { id }, body: paid })).status).toBe(200)
    await follow()
    expect(await waiting('payouts')).toEqual(NOTHING)
  })

  it('shows payments under the day of their creation with their present status', async () => {
    const user = await aUser()
    const [first, second] = [await aPayment(user), await aPayment(user, { amount: 450 })]
    await aPayment(user, { amount: 7, currency: 'USD' })
    await follow()
    const row = { date: today(), currency: 'EUR' }
    expect(await payments('EUR')).toEqual([{ ...row, status: 'PENDING', count: 2, amount: 13_000 }])
    expect(await payments('USD')).toMatchObject([{ status: 'PENDING', count: 1, amount: 7 }])
    await paid(first)
    await follow()
    const after = [
      { ...row, status: 'PENDING', count: 1, amount: 450 },
      { ...row, status: 'SUCCEEDED', count: 1, amount: 12_550 },
    ]
    expect(await payments('EUR')).toEqual(after)
    expect(await payments('EUR', new Date(Date.now() + 7 * DAY_SECONDS * 1000))).toEqual(after)
    expect(await payments('EUR', new Date(Date.now() + 8 * DAY_SECONDS * 1000))).toEqual([])
    await paid(second)
    await follow()
    expect(await payments('EUR')).toEqual([{ ...row, status: 'SUCCEEDED', count: 2, amount: 13_000 }])
  })

  it('shows a sum that is greater than a whole number of JSON can be as the greatest of these', async () => {
    const user = await aUser()
    for (let made = 0; made < 10; made += 1) await aPayment(user, { amount: 10 ** 15, currency: 'TND' })
    await follow()
    expect(await payments('TND')).toMatchObject([
      { status: 'PENDING', count: 10, amount: Number.MAX_SAFE_INTEGER },
    ])
  })

  it('counts disputes that are open and refunds that are pending', async () => {
    const payment = await aPayment(await aUser(), { currency: 'XOF' })
    await paid(payment)
    const money = { reference: payment.id, amount: 500, currency: 'XOF' }
    const dispute = async (id: string, status: string) =>
      deliver(fromGateway('payment.disputed', { ...money, dispute_id: id, status }))
    await dispute('dp_1', 'opened')
    await dispute('dp_2', 'opened')
    await dispute('dp_3', 'inquiry')
    await deliver(fromGateway('payment.refunded', { ...money, refund_id: 'r_1', status: 'pending' }))
    await follow()
    expect(await waiting('disputes')).toMatchObject({ count: 2, oldestAt: expect.stringMatching(/Z$/) })
    expect(await waiting('refunds')).toMatchObject({ count: 1, oldestAt: expect.stringMatching(/Z$/) })
    expect(await payments('XOF')).toMatchObject([{ status: 'DISPUTED', count: 1 }])
    await dispute('dp_1', 'won')
    await dispute('dp_2', 'lost')
    await deliver(fromGateway('payment.refunded', { ...money, refund_id: 'r_1', status: 'succeeded' }))
    await follow()
    expect([await waiting('disputes'), await waiting('refunds')]).toEqual([NOTHING, NOTHING])
    expect(await payments('XOF')).toMatchObject([{ status: 'CHARGED_BACK', count: 1 }])
  })

  it('counts once what is delivered twice, at the same time, late or in another order', async () => {
    const user = await aUser()
    const made = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((amount) => aPayment(user, { amount, currency: 'KES' })),
    )
    const first = await changes()
    const [paidOne] = made
    if (paidOne) await paid(paidOne)
    const second = await changes()
    await deliverChanges(countOverview, second)
    await Promise.all([1, 2, 3].map(() => deliverChanges(countOverview, first)))
    await deliverChanges(countOverview, [...second, ...first].reverse())
    expect(await payments('KES')).toMatchObject([
      { status: 'PENDING', count: 5, amount: 20 },
      { status: 'SUCCEEDED', count: 1, amount: 1 },
    ])
  })

  it('counts every one of many that come at the same time', async () => {
    const before = await signedUp()
    const people = await Promise.all(Array.from({ length: 12 }, () => aUser()))
    const registered = await changes()
    await Promise.all(registered.map((change) => deliverChanges(countOverview, [change])))
    expect(await signedUp()).toBe(before + people.length)
  })
})

it('A counter is spread over sixteen rows, and the subjects of every row are shown in its sum.', () => {
  const subjects = Array.from({ length: 400 }, () => newId('user'))
  const rows = new Set(subjects.map((subject) => overviewCounterKey('NOW#kyc', subject).pk))
  expect([...rows].sort()).toEqual(overviewPartitions().sort())
  expect(rows.size).toBe(16)
})

describe('rebuildOverview', () => {
  it('counts what the stream never told of, corrects what differs, and then finds nothing', async () => {
    await follow()
    const before = await overview()
    const { listing, customer } = await aConversation()
    const payment = await aPayment(customer, { currency: 'GHS', amount: 40 })
    await paid(payment)
    await handIn(customer.token)
    await call(reportListing, { params: { id: listing }, body: { reason: 'misleading' } })
    expect(await overview()).toEqual(before)

    const { changed, isDone } = await rebuild()
    expect([changed > 0, isDone]).toEqual([true, true])
    const rebuilt = await overview()
    expect(rebuilt.waiting.kyc?.count).toBe((before.waiting.kyc?.count ?? 0) + 1)
    expect(rebuilt.waiting.reports?.count).toBe((before.waiting.reports?.count ?? 0) + 1)
    expect(rebuilt.payments?.filter(({ currency }) => currency === 'GHS')).toMatchObject([
      { count: 1, amount: 40 },
    ])
    expect(await rebuild()).toMatchObject({ changed: 0, isDone: true })
    await follow()
    expect(await overview()).toEqual(rebuilt)
  })

  it('stops when its time is over, and the next run goes on from there', async () => {
    await aListedHouse()
    let calls = 0
    // The first look at the clock starts the run; after some pages its ten minutes are over.
    const now = () => secondsAfter(new Date(), (calls++ > 12 ? 1 : 0) * 601)
    expect(await rebuild({ now })).toMatchObject({ isDone: false })
    expect(await rebuild()).toMatchObject({ isDone: true })
    expect(await rebuild()).toMatchObject({ changed: 0, isDone: true })
  })

  it('takes away what waits no more and was never told so', async () => {
    await rebuild()
    const person = await aProvenUser()
    await handIn(person.token)
    await rebuild()
    const before = await waiting('kyc')
    await call(setKycStatus, { token: admin, body: { userId: person.id, kycStatus: 'REJECTED' } })
    await call(deleteAccount, { token: person.token, body: { password: PASSWORD } })
    expect((await rebuild()).changed).toBeGreaterThan(0)
    expect((await waiting('kyc'))?.count).toBe((before?.count ?? 0) - 1)
  })

  it('leaves an unknown subject alone', async () => {
    const userId = newId('user')
    const change = { before: undefined, after: { kind: 'user-list', userId, pk: 'USERS#ALL#1', sk: userId } }
    expect(await deliverChanges(countOverview, [change])).toEqual([false])
  })
})

describe('auditOverview', () => {
  it('corrects what differs, and looks at no payment that is older than the days shown', async () => {
    await rebuild()
    const before = await payments('MAD')
    await aPayment(await aUser(), { currency: 'MAD', amount: 9 })
    expect((await audit()).changed).toBe(2)
    expect([before, await payments('MAD')]).toMatchObject([[], [{ count: 1, amount: 9 }]])
    expect(await audit()).toMatchObject({ changed: 0, isDone: true })
    const [today, later] = [await audit(), await audit(at(secondsAfter(new Date(), 9 * DAY_SECONDS)))]
    expect(later.walked).toBeLessThan(today.walked / 2)
  })
})
