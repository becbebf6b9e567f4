import { describe, expect, it } from 'vitest'
import { spec as paymentRequests } from '#functions/jobs/payment-requests'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as cancelPaymentRequest } from '#functions/payment-requests/cancel-payment-request'
import { spec as listPaymentRequests } from '#functions/payment-requests/list-payment-requests'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { enquiries as enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import type { Timestamp } from '#lib/kernel/clock'
import type { PaymentRequestView } from '#lib/payment-requests/request-view'
import { monthsAfter } from '#lib/payment-requests/series'
import { ban } from '#test/support/bans'
import { call } from '#test/support/call'
import { withAccount } from '#test/support/enquiries'
import type { GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { pagesOf } from '#test/support/pages'
import { aPaymentRequest, requested } from '#test/support/payment-requests'
import { testProviders } from '#test/support/providers'

const DAY = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString()

/** A request of rent that is due in ten days, and each month after that. */
const aSeries = async (more: Record<string, unknown> = {}) => {
  const dueAt = inDays(10)
  const repeats = { every: 'month' }
  const given = await aPaymentRequest({ purpose: 'rent', dueAt, repeats, note: 'Rent', ...more })
  return { ...given, dueAt }
}

/** Runs the job seven days before a repetition is due. */
const turn = (dueAt: string, months: number, milliseconds = 0, deps: Record<string, unknown> = {}) => {
  const at = Date.parse(monthsAfter(dueAt as Timestamp, months)) - 7 * DAY + milliseconds
  return runJob(paymentRequests, deps, { at: new Date(at).toISOString() })
}

const requestsOf = async ({ token }: GivenUser, role = 'received'): Promise<PaymentRequestView[]> =>
  (await pagesOf<PaymentRequestView>(listPaymentRequests, token, { role })).flat()

const cancel = (by: GivenUser, id: string, body: object = { series: true }) =>
  call(cancelPaymentRequest, {
    params: { id },
    token: by.token,
    body,
    deps: { providers: testProviders() },
  })

describe('a repetition', () => {
  it.each([
    ['2027-01-31T10:00:00.000Z', 1, '2027-02-28T10:00:00.000Z'],
    ['2027-01-31T10:00:00.000Z', 2, '2027-03-31T10:00:00.000Z'],
    ['2027-12-31T23:59:59.999Z', 2, '2028-02-29T23:59:59.999Z'],
    ['2027-11-15T00:00:00.000Z', 14, '2029-01-15T00:00:00.000Z'],
  ])('of %s after %i months is due at %s', (first, months, due) => {
    expect(monthsAfter(first as Timestamp, months)).toBe(due)
  })

  it.each([
    ['Africa/Abidjan', '2027-01-31T23:30:00.000Z', 1, '2027-02-28T23:30:00.000Z'],
    ['Africa/Lagos', '2027-01-30T23:30:00.000Z', 1, '2027-02-27T23:30:00.000Z'],
    ['Pacific/Auckland', '2027-01-31T11:30:00.000Z', 1, '2027-02-28T11:30:00.000Z'],
    ['Europe/Paris', '2027-01-28T09:00:00.000Z', 3, '2027-04-28T08:00:00.000Z'],
    ['Europe/Paris', '2027-02-28T01:30:00.000Z', 1, '2027-03-28T01:30:00.000Z'],
    ['America/New_York', '2027-02-14T07:30:00.000Z', 1, '2027-03-14T07:30:00.000Z'],
    ['Asia/Kolkata', '2027-01-31T18:30:00.000Z', 1, '2027-02-28T18:30:00.000Z'],
  ])(
    'keeps the day and the time of day of %s: %s after %i months is due at %s',
    (zone, first, months, due) => {
      expect(monthsAfter(first as Timestamp, months, zone)).toBe(due)
    },
  )
})

describe('a repeating payment request', () => {
  it('names its series, and repeats for five years unless it says until when', async () => {
    const { request, dueAt } = await aSeries()
    const until = monthsAfter(dueAt as Timestamp, 60)
    expect(request).toMatchObject({
      seriesId: request.id,
      repeats: { every: 'month', until, timeZone: 'UTC' },
    })
  })

  it('may keep the day of the month of a time zone, in each repetition', async () => {
    const timeZone = 'Pacific/Auckland'
    const { customer, dueAt } = await aSeries({ repeats: { every: 'month', timeZone } })
    await turn(dueAt, 1, DAY)
    const [second] = await requestsOf(customer)
    const due = monthsAfter(dueAt as Timestamp, 1, timeZone)
    expect(second).toMatchObject({ dueAt: due, repeats: { timeZone } })
  })

  it('makes each repetition once, seven days before it is due', async () => {
    const { customer, request, dueAt } = await aSeries()
    await turn(dueAt, 1, -1)
    expect(await requestsOf(customer)).toHaveLength(1)
    await Promise.all([turn(dueAt, 1), turn(dueAt, 1)])
    await turn(dueAt, 1)
    const [second, ...rest] = await requestsOf(customer)
    expect(rest).toHaveLength(1)
    expect(second).toMatchObject({
      purpose: 'rent',
      amount: request.amount,
      currency: 'XOF',
      note: 'Rent',
      dueAt: monthsAfter(dueAt as Timestamp, 1),
      seriesId: request.id,
      repeats: request.repeats,
      status: 'OPEN',
    })
  })

  it('makes every repetition that was missed, while there is room', async () => {
    const { customer, dueAt } = await aSeries()
    await turn(dueAt, 2)
    expect((await requestsOf(customer)).map(({ dueAt: due }) => due)).toEqual([
      monthsAfter(dueAt as Timestamp, 2),
      monthsAfter(dueAt as Timestamp, 1),
      dueAt,
    ])
  })

  it('ends with the repetition that is due at its end', async () => {
    const dueAt = inDays(10)
    const until = monthsAfter(dueAt as Timestamp, 1)
    const { customer } = await aSeries({ dueAt, repeats: { every: 'month', until } })
    await turn(dueAt, 1)
    await turn(dueAt, 2)
    expect(await requestsOf(customer)).toHaveLength(2)
  })

  it('skips a turn while five are open, and takes the next', async () => {
    const { agent, listing, customer, enquiry, dueAt } = await aSeries()
    const others = await Promise.all(
      Array.from({ length: 4 }, () => requested(agent, listing, enquiry.id, { purpose: 'fee' })),
    )
    await turn(dueAt, 1)
    expect(await requestsOf(customer)).toHaveLength(5)
    await cancel(agent, others[0]?.id ?? '', {})
    await turn(dueAt, 2)
    const [newest] = await requestsOf(customer)
    expect(newest).toMatchObject({ dueAt: monthsAfter(dueAt as Timestamp, 2) })
  })

  it('skips a turn while its owner may not publish', async () => {
    const { agent, customer, dueAt } = await aSeries()
    await withAccount(agent.id, { 'kyc.status': 'REJECTED' })
    await turn(dueAt, 1)
    await withAccount(agent.id, { 'kyc.status': 'VERIFIED' })
    expect(await requestsOf(customer)).toHaveLength(1)
    await turn(dueAt, 2)
    expect(await requestsOf(customer)).toHaveLength(2)
  })

  it('that cannot be repeated holds up no other request', async () => {
    const { enquiry, dueAt } = await aSeries()
    const other = await aPaymentRequest({ dueAt: inDays(3) })
    const enquiries = enquiryStore.make()
    const unreadable: EnquiryStore['get'] = async (id) => {
      if (id === enquiry.id) throw new Error('The enquiry cannot be read')
      return enquiries.get(id)
    }
    const failed = turn(dueAt, 2, 0, { enquiries: { ...enquiries, get: unreadable } })
    await expect(failed).rejects.toThrow('The enquiry cannot be read')
    const [request] = await requestsOf(other.customer)
    expect(request).toMatchObject({ id: other.request.id, status: 'EXPIRED' })
  })

  it('ends when its listing is archived', async () => {
    const { agent, listing, customer, dueAt } = await aSeries()
    expect((await call(archiveListing, { params: { id: listing }, token: agent.token })).status).toBe(204)
    await turn(dueAt, 1)
    expect(await requestsOf(customer)).toHaveLength(1)
  })

  it('ends when its listing is priced in another currency, also once that is its own again', async () => {
    const { agent, listing, customer, dueAt } = await aSeries()
    const price = async (currency: string) => {
      const body = { price: { amount: 450_000, currency } }
      const { status } = await call(editListing, { params: { id: listing }, token: agent.token, body })
      expect(status).toBe(200)
    }
    await price('EUR')
    await turn(dueAt, 1)
    await price('XOF')
    await turn(dueAt, 2)
    expect(await requestsOf(customer)).toHaveLength(1)
  })

  it.each(['agent', 'customer'] as const)('ends when its %s is banned, also after the ban', async (side) => {
    const given = await aSeries()
    await ban(given[side])
    await withAccount(given[side].id, { status: 'ACTIVE' })
    await turn(given.dueAt, 1)
    // Whoever was banned is signed out.
    const left = side === 'agent' ? await requestsOf(given.customer) : await requestsOf(given.agent, 'sent')
    expect(left).toHaveLength(1)
  })
})

describe('cancelling a series', () => {
  it('cancelling a series cancels its OPEN request and makes no other', async () => {
    const { agent, customer, request, dueAt } = await aSeries()
    expect((await cancel(customer, request.id)).status).toBe(403)
    expect(await cancel(agent, request.id)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    expect(await cancel(agent, request.id)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    await turn(dueAt, 1)
    expect(await requestsOf(customer)).toHaveLength(1)
  })

  it('cancelling a series by any of its requests ends it, whatever that request’s status', async () => {
    const { agent, customer, request, dueAt } = await aSeries()
    await turn(dueAt, 1)
    expect(await cancel(agent, request.id, {})).toMatchObject({ body: { status: 'CANCELLED' } })
    expect(await cancel(agent, request.id)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    await turn(dueAt, 2)
    expect(await requestsOf(customer)).toHaveLength(2)
  })

  it('cancelling one request leaves its series as it is', async () => {
    const { agent, customer, request, dueAt } = await aSeries()
    expect(await cancel(agent, request.id, {})).toMatchObject({ body: { status: 'CANCELLED' } })
    await turn(dueAt, 1)
    expect(await requestsOf(customer)).toHaveLength(2)
  })
})
