import { describe, expect, it } from 'vitest'
import { spec as paymentRequests } from '#functions/jobs/payment-requests'
import { spec as cancelPaymentRequest } from '#functions/payment-requests/cancel-payment-request'
import { spec as getPaymentRequest } from '#functions/payment-requests/get-payment-request'
import { spec as listPaymentRequests } from '#functions/payment-requests/list-payment-requests'
import { enquiryKey } from '#lib/enquiries/enquiry.keys'
import type { Timestamp } from '#lib/kernel/clock'
import { PaymentRequestId } from '#lib/kernel/id'
import { requests as requestStore } from '#lib/payment-requests/request-store.dynamo'
import type { PaymentRequestView } from '#lib/payment-requests/request-view'
import { call, problemOf } from '#test/support/call'
import { aConversation, aCustomer, anEnquiry, withAccount } from '#test/support/enquiries'
import { eventsAbout } from '#test/support/events'
import type { GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing, COMPLETE } from '#test/support/listings'
import { pagesOf } from '#test/support/pages'
import { aPaymentRequest, payRequest, requested, requestPayment } from '#test/support/payment-requests'
import { testTable } from '#test/support/test-table'

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

const get = (by: GivenUser, id: string, deps = {}) =>
  call(getPaymentRequest, { params: { id }, token: by.token, deps })

const cancel = (by: GivenUser, id: string, deps = {}) =>
  call(cancelPaymentRequest, { params: { id }, token: by.token, deps })

const listed = async (by: GivenUser, query: Record<string, string> = {}): Promise<string[]> =>
  (await pagesOf<PaymentRequestView>(listPaymentRequests, by.token, query)).flat().map(({ id }) => id)

/** Runs the job as of another time, as `npm run job -- payment-requests --at` does. */
const act = (at: Date) => runJob(paymentRequests, {}, { at: at.toISOString() })

const daysAfter = (time: string, days: number): Date => new Date(Date.parse(time) + days * 86_400_000)

/** Lets a request be due at another time, as if it had been made long ago. */
async function moveDueDate(id: string, dueAt: string): Promise<void> {
  const requests = requestStore.make()
  const seen = await requests.get(PaymentRequestId.parse(id))
  if (!seen) throw new Error(id)
  const next = { ...seen, dueAt: dueAt as Timestamp, reminders: 3, version: seen.version + 1 }
  await requests.commit(requests.replace(seen, next))
}

describe('a payment request', () => {
  it('is OPEN, and its two sides read the same', async () => {
    const { agent, listing, customer, enquiry } = await aConversation()
    const dueAt = inDays(7)
    const { status, body } = await requestPayment(agent, listing, enquiry.id, { dueAt, note: 'For the keys' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^prq_[0-9A-HJKMNP-TV-Z]{26}$/),
      enquiryId: enquiry.id,
      listing: {
        id: listing,
        title: 'House by the lagoon',
        status: 'PUBLISHED',
        currency: 'XOF',
        cover: null,
      },
      customer: { userId: customer.id, name: 'Binta Diallo' },
      purpose: 'deposit',
      amount: 150_000,
      currency: 'XOF',
      dueAt,
      note: 'For the keys',
      repeats: null,
      seriesId: null,
      status: 'OPEN',
      overdue: false,
      paymentId: null,
      createdAt: expect.any(String),
    })
    const { id } = body
    expect((await get(agent, id)).body).toEqual(body)
    expect((await get(customer, id)).body).toEqual(body)
    expect(await get(await aCustomer(), id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await eventsAbout(id)).toMatchObject([
      {
        type: 'payment_request.created',
        data: {
          listingId: listing,
          enquiryId: enquiry.id,
          customerId: customer.id,
          agentId: agent.id,
          amount: 150_000,
          currency: 'XOF',
          purpose: 'deposit',
        },
      },
    ])
  })

  it('a request without a currency takes that of its listing', async () => {
    const { agent, listing, enquiry } = await aConversation()
    expect(await requestPayment(agent, listing, enquiry.id, { currency: undefined })).toMatchObject({
      status: 201,
      body: { currency: 'XOF' },
    })
  })

  it('is made once with one Idempotency-Key', async () => {
    const { agent, listing, enquiry } = await aConversation()
    const headers = { 'idempotency-key': 'once' }
    const first = await requestPayment(agent, listing, enquiry.id, {}, headers)
    const second = await requestPayment(agent, listing, enquiry.id, {}, headers)
    expect(second).toMatchObject({ status: 201, body: first.body })
    expect(await listed(agent, { role: 'sent' })).toHaveLength(1)
  })

  it('stands in the list of its owner and in that of its customer, newest first', async () => {
    const { agent, listing, customer, enquiry, request } = await aPaymentRequest()
    const second = await requested(agent, listing, enquiry.id, { purpose: 'rent' })
    await cancel(agent, request.id)
    for (const limit of ['1', '100']) {
      expect(await listed(customer, { limit })).toEqual([second.id, request.id])
      expect(await listed(customer, { limit, role: 'sent' })).toEqual([])
      expect(await listed(agent, { limit, role: 'sent' })).toEqual([second.id, request.id])
      expect(await listed(customer, { limit, status: 'CANCELLED' })).toEqual([request.id])
      expect(await listed(customer, { limit, status: 'OPEN' })).toEqual([second.id])
    }
    const query = { limit: '1', status: ['OPEN', 'CANCELLED'] }
    const { body } = await call(listPaymentRequests, { token: customer.token, query })
    const next = { ...query, status: query.status.toReversed(), cursor: body.nextCursor ?? '' }
    expect(await call(listPaymentRequests, { token: customer.token, query: next })).toMatchObject({
      body: { items: [{ id: request.id }] },
    })
  })

  it('shows null for a customer who is banned', async () => {
    const { agent, customer, request } = await aPaymentRequest()
    await withAccount(customer.id, { status: 'BANNED' })
    expect((await get(agent, request.id)).body).toMatchObject({ customer: null, note: null })
  })
})

describe('a payment request is refused', () => {
  it('a request for another agent’s listing, or with an enquiry about another listing, is refused', async () => {
    const [one, other] = await Promise.all([aConversation(), aConversation()])
    expect(await requestPayment(one.agent, other.listing, other.enquiry.id)).toMatchObject({ status: 403 })
    const own = await aListing(one.agent.id, COMPLETE)
    for (const [listing, enquiry] of [
      [one.listing, other.enquiry.id],
      [own, one.enquiry.id],
      [one.listing, 'enq_01KAH3M6XQ8ZJ4T2V7W9C5RBND'],
      [one.listing, 'enquiry'],
    ] as const) {
      expect(await requestPayment(one.agent, listing, enquiry)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ path: 'enquiryId' }] },
      })
    }
  })

  it.each([
    ['currency', { currency: 'EUR' }],
    ['currency', { currency: 'XXX' }],
    ['repeats', { repeats: { every: 'month' }, dueAt: inDays(1) }],
    ['dueAt', { repeats: { every: 'month' }, purpose: 'rent' }],
    ...['Mars/Olympus', '+01:00', ''].map((timeZone): [string, Record<string, unknown>] => [
      'repeats.timeZone',
      { repeats: { every: 'month', timeZone }, purpose: 'rent', dueAt: inDays(2) },
    ]),
    ['repeats.every', { repeats: { every: 'week' }, purpose: 'rent', dueAt: inDays(1) }],
    ['repeats.until', { repeats: { every: 'month', until: inDays(1) }, purpose: 'rent', dueAt: inDays(2) }],
    [
      'repeats.until',
      { repeats: { every: 'month', until: inDays(1_900) }, purpose: 'fee', dueAt: inDays(2) },
    ],
    ['amount', { amount: 0 }],
    ['amount', { amount: 1.5 }],
    ['purpose', { purpose: 'gift' }],
    ['dueAt', { dueAt: inDays(-1) }],
    ['dueAt', { dueAt: inDays(366) }],
    ['dueAt', { dueAt: 'soon' }],
    ['note', { note: 'x'.repeat(1001) }],
  ])('for a %s like %j', async (path, more) => {
    const { agent, listing, enquiry } = await aConversation()
    expect(await requestPayment(agent, listing, enquiry.id, more)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path }] },
    })
  })

  it('while the customer is gone, and while the listing or its owner cannot be paid', async () => {
    const { agent, listing, customer, enquiry } = await aConversation()
    await withAccount(customer.id, { status: 'BANNED' })
    expect(await requestPayment(agent, listing, enquiry.id)).toMatchObject({
      status: 409,
      body: { code: 'other_side_gone' },
    })
    await withAccount(customer.id, { status: 'ACTIVE' })
    await withAccount(agent.id, { 'kyc.status': 'REJECTED' })
    expect(await requestPayment(agent, listing, enquiry.id)).toMatchObject({
      status: 409,
      body: { code: 'listing_not_available', detail: expect.stringContaining('must be published') },
    })
  })

  it('beyond five that are open in an enquiry, however many come at once', async () => {
    const { agent, listing, enquiry } = await aConversation()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => requestPayment(agent, listing, enquiry.id)),
    )
    const made = answers.filter(({ status }) => status === 201)
    const rest = answers.filter(({ status }) => status !== 201)
    expect(made).toHaveLength(5)
    for (const answer of rest) {
      expect([409, 503]).toContain(answer.status)
      expect(['open_request_limit_reached', 'unavailable']).toContain(problemOf(answer).code)
    }
    expect(await requestPayment(agent, listing, enquiry.id)).toMatchObject({
      status: 409,
      body: { code: 'open_request_limit_reached' },
    })
    const [first] = await listed(agent, { role: 'sent' })
    await cancel(agent, first ?? '')
    expect((await requestPayment(agent, listing, enquiry.id)).status).toBe(201)
  })

  it('beyond fifty of an owner on one UTC day', async () => {
    const { agent, listing, customer } = await aConversation()
    const listings = [
      listing,
      ...(await Promise.all(Array.from({ length: 10 }, () => aListing(agent.id, COMPLETE)))),
    ]
    const statuses: number[] = []
    for (const id of listings.slice(1)) {
      const enquiry = await anEnquiry(customer, id)
      for (let count = 0; count < 5; count += 1) {
        statuses.push((await requestPayment(agent, id, enquiry.id)).status)
      }
    }
    expect(new Set(statuses)).toEqual(new Set([201]))
    const last = await aListing(agent.id, COMPLETE)
    const enquiry = await anEnquiry(customer, last)
    expect(await requestPayment(agent, last, enquiry.id)).toMatchObject({
      status: 429,
      headers: { 'ratelimit-policy': '"payment-requests";q=50;w=86400' },
    })
  })
})

describe('cancelling a payment request', () => {
  it('is for its owner, and is answered again the same', async () => {
    const { agent, customer, enquiry, request } = await aPaymentRequest()
    expect(await cancel(customer, request.id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await cancel(await aCustomer(), request.id)).status).toBe(404)
    expect(await cancel(agent, request.id)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    expect(await cancel(agent, request.id)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    expect((await eventsAbout(request.id)).map(({ type, data }) => [type, data['status']])).toEqual([
      ['payment_request.created', undefined],
      ['payment_request.closed', 'CANCELLED'],
    ])
    expect(await testTable().get(enquiryKey(enquiry.id))).toMatchObject({ requests: { open: 0, paid: 0 } })
  })
})

describe('a payment request past its due date', () => {
  it('is overdue and can still be paid', async () => {
    const { agent, customer, request } = await aPaymentRequest({ dueAt: inDays(1) })
    await moveDueDate(request.id, inDays(-1))
    expect((await get(agent, request.id)).body).toMatchObject({ status: 'OPEN', overdue: true })
    expect(await listed(customer, { status: 'OPEN' })).toEqual([request.id])
    expect((await payRequest(customer, request.id)).status).toBe(201)
  })

  it('does not expire once it is cancelled', async () => {
    const dueAt = inDays(1)
    const { agent, request } = await aPaymentRequest({ dueAt })
    expect(await cancel(agent, request.id)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    await act(daysAfter(dueAt, 31))
    expect((await get(agent, request.id)).body).toMatchObject({ status: 'CANCELLED', overdue: false })
  })

  it('is EXPIRED 30 days after it, and announced once by the job', async () => {
    const { agent, enquiry, request } = await aPaymentRequest({ dueAt: inDays(1) })
    await moveDueDate(request.id, inDays(-30))
    expect((await get(agent, request.id)).body).toMatchObject({ status: 'EXPIRED', overdue: false })
    expect(await cancel(agent, request.id)).toMatchObject({
      status: 409,
      body: {
        code: 'payment_request_not_open',
        requestStatus: 'EXPIRED',
        detail: expect.stringMatching(/EXPIRED$/),
      },
    })
    for (let times = 0; times < 2; times += 1) await act(new Date())
    expect((await get(agent, request.id)).body).toMatchObject({ status: 'EXPIRED' })
    expect((await eventsAbout(request.id)).map(({ data }) => data['status'])).toEqual([undefined, 'EXPIRED'])
    expect(await testTable().get(enquiryKey(enquiry.id))).toMatchObject({ requests: { open: 0 } })
  })

  it('is EXPIRED 90 days after it was made where it has none', async () => {
    const { agent, request } = await aPaymentRequest()
    await act(daysAfter(request.createdAt, 89))
    expect((await get(agent, request.id)).body).toMatchObject({ status: 'OPEN' })
    await act(daysAfter(request.createdAt, 90))
    expect((await get(agent, request.id)).body).toMatchObject({ status: 'EXPIRED' })
  })
})

describe('the customer of an open payment request', () => {
  const seven = (dueAt: string, days: number) => {
    const time = daysAfter(dueAt, days)
    time.setUTCHours(7, 0, 0, 0)
    return time
  }
  const reminders = async (id: string) =>
    (await eventsAbout(id)).map(({ type }) => type).filter((type) => /due$/.test(type))

  it('is reminded at 07:00 UTC three days before it is due, on that day, and three days after', async () => {
    const dueAt = inDays(10)
    const { request } = await aPaymentRequest({ dueAt })
    await act(new Date(seven(dueAt, -3).getTime() - 1))
    expect(await reminders(request.id)).toEqual([])
    for (const days of [-3, 0, 3]) {
      for (let times = 0; times < 2; times += 1) await act(seven(dueAt, days))
    }
    expect(await reminders(request.id)).toEqual([
      'payment_request.due',
      'payment_request.due',
      'payment_request.overdue',
    ])
    const events = await eventsAbout(request.id)
    expect(events.at(-1)?.data).toMatchObject({
      dueAt,
      customerId: request.customer?.userId,
      amount: 150_000,
    })
  })

  it('is not reminded of what had passed when the request was made, nor after its end', async () => {
    const dueAt = inDays(2)
    const { agent, request } = await aPaymentRequest({ dueAt })
    await act(seven(dueAt, -1))
    expect(await reminders(request.id)).toEqual([])
    await cancel(agent, request.id)
    await act(seven(dueAt, 3))
    expect(await reminders(request.id)).toEqual([])
  })

  it('is reminded once where runs were missed, and once by two runs at a time', async () => {
    const dueAt = inDays(10)
    const { request } = await aPaymentRequest({ dueAt })
    await Promise.all([act(seven(dueAt, 3)), act(seven(dueAt, 3))])
    expect(await reminders(request.id)).toEqual(['payment_request.overdue'])
  })
})
