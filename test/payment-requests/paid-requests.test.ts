import { describe, expect, it } from 'vitest'
import { spec as paymentRequests } from '#functions/jobs/payment-requests'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as cancelPaymentRequest } from '#functions/payment-requests/cancel-payment-request'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { enquiryKey } from '#lib/enquiries/enquiry.keys'
import { timestamp } from '#lib/kernel/clock'
import { ListingId } from '#lib/kernel/id'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { call, problemOf } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { aCustomer, withAccount } from '#test/support/enquiries'
import { eventsAbout } from '#test/support/events'
import { consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { mailsOfEvent, notificationsOf } from '#test/support/notifications'
import { aPaymentRequest, begun, payRequest, requestOf } from '#test/support/payment-requests'
import { fromPlayed, paid, paymentOf, played, success } from '#test/support/payments'
import { testProviders } from '#test/support/providers'
import { testTable } from '#test/support/test-table'

const cancel = (by: GivenUser, id: string) =>
  call(cancelPayment, { params: { id }, token: by.token, deps: { providers: testProviders() } })

const attentionOf = async (id: string): Promise<string[]> => {
  const { body } = await call(getPaymentInFull, { params: { id }, token: await consoleToken() })
  return body.attention.map(({ code }) => code)
}

const inDays = (days: number) => timestamp(new Date(Date.now() + days * 86_400_000))

const cancelRequest = (by: GivenUser, id: string, body: object = {}, deps: object = {}) =>
  call(cancelPaymentRequest, {
    params: { id },
    token: by.token,
    body,
    deps: { providers: testProviders(), ...deps },
  })

/** A payment of a request whose money is on its way. */
async function processing(customer: GivenUser, requestId: string) {
  const providers = played()
  const { body: payment } = await payRequest(customer, requestId, { provider: 'played' }, { providers })
  const statement = { kind: 'processing', at: inDays(0) } as const
  const speaking = played({ interpret: () => [success(payment, { eventId: `p_${payment.id}`, statement })] })
  expect((await deliver(fromPlayed(), { providers: speaking })).status).toBe(200)
  expect((await paymentOf(customer, payment.id)).status).toBe('PROCESSING')
  return payment
}

describe('a payment of a request', () => {
  it('is of the request’s sum and purpose, and its success makes the request PAID', async () => {
    const { agent, listing, customer, enquiry, request } = await aPaymentRequest({ purpose: 'rent' })
    const payment = await begun(customer, request.id)
    expect(payment).toMatchObject({
      amount: 150_000,
      currency: 'XOF',
      purpose: 'rent',
      listingId: listing,
      paymentRequestId: request.id,
    })
    expect(await requestOf(agent, request.id)).toMatchObject({ status: 'OPEN', paymentId: null })
    await paid(payment)
    expect(await requestOf(agent, request.id)).toMatchObject({ status: 'PAID', paymentId: payment.id })
    expect(await testTable().get(enquiryKey(enquiry.id))).toMatchObject({ requests: { open: 0, paid: 1 } })
    const events = await eventsAbout(request.id)
    expect(events.map(({ type }) => type)).toEqual(['payment_request.created', 'payment_request.paid'])
    expect(events[1]?.data).toMatchObject({
      paymentId: payment.id,
      customerId: customer.id,
      agentId: agent.id,
    })
  })

  it.each(['amount', 'currency', 'purpose', 'listingId'])('takes no %s beside the request', async (path) => {
    const { customer, listing, request } = await aPaymentRequest()
    const values = { amount: 150_000, currency: 'XOF', purpose: 'deposit', listingId: listing }
    const more = { [path]: values[path as keyof typeof values] }
    expect(await payRequest(customer, request.id, more)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path }] },
    })
  })

  it('is its customer’s alone', async () => {
    const { agent, request } = await aPaymentRequest()
    for (const stranger of [agent, await aCustomer()]) {
      expect(await payRequest(stranger, request.id)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    }
    for (const id of ['prq_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'request']) {
      expect((await payRequest(await aCustomer(), id)).status).toBe(404)
    }
  })

  it('is refused while another is PENDING, and again once the request is paid', async () => {
    const { customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    const refusal = {
      status: 409,
      body: {
        code: 'payment_request_in_progress',
        detail: 'A payment of the request is under way',
        paymentId: payment.id,
      },
    }
    expect(await payRequest(customer, request.id)).toMatchObject(refusal)
    await cancel(customer, payment.id)
    const next = await begun(customer, request.id)
    await paid(next)
    expect(await requestOf(customer, request.id)).toMatchObject({ status: 'PAID', paymentId: next.id })
    expect(await payRequest(customer, request.id)).toMatchObject({
      status: 409,
      body: { code: 'payment_request_not_open', requestStatus: 'PAID' },
    })
  })

  it('an unknown provider is refused before anything is said of the request', async () => {
    const { customer, request } = await aPaymentRequest()
    await paid(await begun(customer, request.id))
    for (const id of [request.id, 'prq_unknown']) {
      const refused = await payRequest(customer, id, { provider: 'nobody' })
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'provider' }] } })
    }
  })

  it('a payment that is PROCESSING keeps the request from being cancelled and from expiring', async () => {
    const { agent, customer, request } = await aPaymentRequest({ dueAt: inDays(1) })
    const payment = await processing(customer, request.id)
    expect(await cancelRequest(agent, request.id)).toMatchObject({
      status: 409,
      body: { code: 'payment_request_in_progress', paymentId: payment.id },
    })
    await runJob(paymentRequests, { now: () => new Date(inDays(40)) })
    expect(await requestOf(agent, request.id)).toMatchObject({ status: 'OPEN' })
  })

  it('a payment that is PENDING is cancelled with its request, and its page closed', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const closed: string[] = []
    const close = async ({ id }: { id: string }) => closed.push(id) > 0
    const providers = played({ close })
    const { body } = await payRequest(customer, request.id, { provider: 'played' }, { providers })
    expect(await cancelRequest(agent, request.id, {}, { providers })).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED' },
    })
    expect((await paymentOf(customer, body.id)).status).toBe('CANCELLED')
    expect(closed).toEqual([body.id])
    expect(await holds.make().get(ListingId.parse(listing))).toMatchObject({ userId: null })
    expect((await eventsAbout(request.id)).map(({ type }) => type)).toEqual([
      'payment_request.created',
      'payment_request.closed',
    ])
  })

  it('a payment that is PENDING is cancelled when its request expires', async () => {
    const { agent, customer, request } = await aPaymentRequest({ dueAt: inDays(1) })
    const payment = await begun(customer, request.id)
    const later = () => new Date(Date.parse(request.dueAt ?? '') + 30 * 86_400_000)
    await testTable().commit([
      TABLE_WRITES.update(
        { pk: `PAYMENT#${payment.id}`, sk: 'PAYMENT' },
        { set: { expiresAt: inDays(60) }, when: 'present' },
      ),
    ])
    await runJob(paymentRequests, { now: later })
    expect(await requestOf(agent, request.id)).toMatchObject({ status: 'EXPIRED' })
    expect((await paymentOf(customer, payment.id)).status).toBe('CANCELLED')
  })

  it('a payment that succeeds while its request is cancelled ends either way with the money counted', async () => {
    const { agent, customer, request } = await aPaymentRequest({ purpose: 'rent' })
    const payment = await begun(customer, request.id)
    await Promise.all([cancelRequest(agent, request.id), paid(payment)])
    expect((await paymentOf(customer, payment.id)).status).toBe('SUCCEEDED')
    expect(await requestOf(agent, request.id)).toMatchObject({ status: 'PAID', paymentId: payment.id })
  })

  it('is refused after ten that came to nothing', async () => {
    const { customer, request } = await aPaymentRequest({ purpose: 'rent' })
    for (let count = 0; count < 10; count += 1) await cancel(customer, (await begun(customer, request.id)).id)
    expect(await payRequest(customer, request.id)).toMatchObject({
      status: 409,
      body: { code: 'payment_limit_reached' },
    })
  })

  it('is one of many that were started at once', async () => {
    const { customer, request } = await aPaymentRequest()
    const answers = await Promise.all(Array.from({ length: 6 }, () => payRequest(customer, request.id)))
    const codes = answers.map((answer) => (answer.status === 201 ? '' : problemOf(answer).code))
    expect(codes.sort()).toEqual(['', ...Array(5).fill('payment_request_in_progress')])
  })

  it('can be started again once the time of the one before is over, though nobody has stored that', async () => {
    const { customer, request } = await aPaymentRequest({ purpose: 'rent' })
    const first = await begun(customer, request.id)
    await testTable().commit([
      TABLE_WRITES.update(
        { pk: `PAYMENT#${first.id}`, sk: 'PAYMENT' },
        { set: { expiresAt: '2026-01-01T00:00:00.000Z' }, when: 'present' },
      ),
    ])
    expect((await payRequest(customer, request.id)).status).toBe(201)
  })

  it('a payment that succeeds late, beside another, stays a payment of its own and needs someone until it is refunded', async () => {
    const { customer, request } = await aPaymentRequest({ purpose: 'rent' })
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    const second = await begun(customer, request.id)
    await paid(second)
    await paid(late)
    expect((await paymentOf(customer, late.id)).status).toBe('SUCCEEDED')
    expect(await requestOf(customer, request.id)).toMatchObject({ status: 'PAID', paymentId: second.id })
    expect(await attentionOf(late.id)).toEqual(['request_paid_twice'])
    expect(await attentionOf(second.id)).toEqual([])
    const { amount, currency } = late
    const data = { id: `txn_${late.id}_back`, reference: late.id, amount, currency }
    expect((await deliver(fromGateway('payment.refunded', data))).status).toBe(200)
    expect((await paymentOf(customer, late.id)).status).toBe('REFUNDED')
    expect(await attentionOf(late.id)).toEqual([])
  })

  it('its agent hears of the first success as the request’s, and of a further one as a payment', async () => {
    const { agent, customer, request } = await aPaymentRequest({ purpose: 'rent' })
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    const second = await begun(customer, request.id)
    await paid(second)
    await paid(late)
    const events = [second, late, request].map(({ id }) => eventsAbout(id))
    for (const event of (await Promise.all(events)).flat()) await mailsOfEvent({ kind: 'event', ...event })
    const { items } = await notificationsOf(agent.token)
    const money = items.filter(({ type }) => type.startsWith('payment'))
    expect(money.map(({ type, subject }) => [type, subject]).sort()).toEqual([
      ['payment.status_changed', late.id],
      ['payment_request.paid', request.id],
    ])
  })

  it('makes even a CANCELLED request PAID when its success comes late', async () => {
    const { agent, customer, request } = await aPaymentRequest({ purpose: 'rent' })
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    await cancelRequest(agent, request.id)
    expect((await requestOf(agent, request.id)).status).toBe('CANCELLED')
    await paid(late)
    expect(await requestOf(agent, request.id)).toMatchObject({ status: 'PAID', paymentId: late.id })
  })

  it('is in the currency that the listing had when it was asked for', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const body = { price: { amount: 450_000, currency: 'EUR' } }
    const edited = await call(editListing, { params: { id: listing }, token: agent.token, body })
    expect(edited.status).toBe(200)
    expect(await payRequest(customer, request.id)).toMatchObject({
      status: 201,
      body: { amount: 150_000, currency: 'XOF' },
    })
  })

  it('needs a published listing of an owner who may publish', async () => {
    const { agent, customer, request } = await aPaymentRequest()
    await withAccount(agent.id, { 'kyc.status': 'REJECTED' })
    expect(await payRequest(customer, request.id)).toMatchObject({
      status: 409,
      body: { code: 'listing_not_available' },
    })
  })

  it.each(['', 'prq_1'])('is a 404 where the request’s id has a wrong shape: %j', async (id) => {
    const customer = await aCustomer()
    expect(await payRequest(customer, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('says so where neither a sum nor a request is given', async () => {
    const customer = await aCustomer()
    const answer = await payRequest(customer, '', { paymentRequestId: undefined })
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'amount' }, { path: 'currency' }, { path: 'purpose' }] },
    })
    expect(answer.body.id).toBeUndefined()
  })
})
